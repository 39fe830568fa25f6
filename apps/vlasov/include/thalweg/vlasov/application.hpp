// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/application.hpp>

namespace thalweg::vlasov {

/// The Vlasov-Poisson system as `thalweg run` runs it: application.name = "vlasov".
app::Application application();

}  // namespace thalweg::vlasov
