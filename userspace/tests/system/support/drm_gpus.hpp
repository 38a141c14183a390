// SPDX-License-Identifier: MIT
/*
 * drm_gpus.hpp - all GPUs of the machine, through their render nodes.
 */
#pragma once

#include <cerrno>
#include <memory>
#include <system_error>

#include <kfdm/drm.hpp>

#include "check.hpp"

namespace kfdm::test {

/** Calls fn(const drm::Device &) for each; there is at least one. */
void for_each_gpu(auto fn)
{
	for (unsigned index = 0;; index++) {
		std::unique_ptr<drm::Device> device;

		try {
			device = std::make_unique<drm::Device>(index);
		} catch (const std::system_error &error) {
			REQUIRE(index && error.code().value() == ENODEV);
			return;
		}
		fn(*device);
	}
}

} // namespace kfdm::test
