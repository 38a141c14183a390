// SPDX-License-Identifier: MIT
/*
 * driver.hpp - the driver of which Linux kfd_model is (its parameter abi).
 */
#pragma once

#include <string>

namespace kfdm::test {

/** "6.1" or "7.2". Who asks the device itself becomes a process of KFD. */
[[nodiscard]] std::string loaded_abi();

/** Loads kfd_model anew as the driver of Linux @abi. For root, when nobody has /dev/kfd open. Error: std::runtime_error. */
void load_driver(const std::string &abi);

/** kfd_model is the driver of Linux @abi as long as this lives; null: as it is. Skips the test if it cannot be. */
class ChosenDriver {
public:
	explicit ChosenDriver(const char *abi);
	ChosenDriver(const ChosenDriver &) = delete;
	~ChosenDriver();
	/** Another one than before? Then who becomes a process of KFD must have ended when this ends. */
	[[nodiscard]] bool is_another() const noexcept { return !before_.empty(); }

private:
	std::string before_; /* empty: nothing to put back */
};

} // namespace kfdm::test
