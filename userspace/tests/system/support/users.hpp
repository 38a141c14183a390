// SPDX-License-Identifier: MIT
/*
 * users.hpp - processes of users who do not trust each other.
 *
 *     Child victim = as(alice, [&] { ...; Child::ready(); pause(); });
 *     Child thief = as(bob, [&] { ... });
 *
 * What the processes tell each other lies in a Shared<T>, which is made before them.
 */
#pragma once

#include <sys/mman.h>
#include <sys/types.h>

#include <functional>
#include <new>
#include <string>
#include <vector>

#include <kfdm/error.hpp>

#include "process.hpp"

namespace kfdm::test {

struct User {
	const char *name;
	uid_t uid;
};

inline constexpr User alice{"alice", 10001}, bob{"bob", 10002}, carol{"carol", 10003};
/** Who may open the GPU's files: `render` on real machines. */
inline constexpr gid_t gpu_group = 10000;

/** /dev/kfd and all render nodes belong to gpu_group from now on. */
void admit_users();
/** This process is @user's from now on: no other group than gpu_group, no capability. */
void become(const User &user);
/** A child that is @user's, after admit_users(). */
[[nodiscard]] Child as(const User &user, const std::function<void()> &work);

/** An object that forked processes share; zero at first. */
template <typename T> class Shared {
public:
	Shared()
	{
		void *at = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		if (at == MAP_FAILED)
			throw_errno("mmap");
		value_ = new (at) T();
	}
	Shared(const Shared &) = delete;
	~Shared() { munmap(value_, sizeof(T)); }
	T *operator->() const noexcept { return value_; }
	T &operator*() const noexcept { return *value_; }

private:
	T *value_;
};

/** Sends descriptors over a socket (SCM_RIGHTS), takes them. */
void send_fds(int socket, const std::vector<int> &fds);
[[nodiscard]] std::vector<UniqueFd> receive_fds(int socket, size_t count);

} // namespace kfdm::test
