// SPDX-License-Identifier: MIT
/*
 * users.cpp - other users' processes.
 */
#include "users.hpp"

#include <grp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "check.hpp"

namespace kfdm::test {

namespace {

void admit(const std::string &path)
{
	if (chown(path.c_str(), 0, gpu_group) || chmod(path.c_str(), 0660))
		throw_errno(path.c_str());
}

union ControlBuffer {
	cmsghdr header;
	char room[CMSG_SPACE(16 * sizeof(int))];
};

msghdr message_of(iovec &byte, ControlBuffer &control, size_t fds)
{
	msghdr message = {};

	message.msg_iov = &byte;
	message.msg_iovlen = 1;
	message.msg_control = control.room;
	message.msg_controllen = CMSG_SPACE(fds * sizeof(int));
	return message;
}

} // namespace

void admit_users()
{
	if (geteuid())
		skip("only root can become other users");
	admit("/dev/kfd");
	for (const auto &entry : std::filesystem::directory_iterator("/dev/dri"))
		if (entry.path().filename().string().starts_with("renderD"))
			admit(entry.path());
}

void become(const User &user)
{
	const gid_t group = gpu_group;

	if (setgroups(1, &group) || setresgid(user.uid, user.uid, user.uid) || setresuid(user.uid, user.uid, user.uid))
		throw_errno("becoming another user");
	/* As after an exec by this user: his own processes may look into it. */
	if (prctl(PR_SET_DUMPABLE, 1))
		throw_errno("PR_SET_DUMPABLE");
}

Child as(const User &user, const std::function<void()> &work)
{
	return Child([&] {
		become(user);
		work();
	});
}

void send_fds(int socket, const std::vector<int> &fds)
{
	char text = 0;
	iovec byte = {&text, 1};
	ControlBuffer control = {};
	msghdr message = message_of(byte, control, fds.size());
	cmsghdr *header = CMSG_FIRSTHDR(&message);

	REQUIRE(fds.size() <= 16);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
	std::memcpy(CMSG_DATA(header), fds.data(), fds.size() * sizeof(int));
	if (sendmsg(socket, &message, 0) != 1)
		throw_errno("sendmsg");
}

std::vector<UniqueFd> receive_fds(int socket, size_t count)
{
	char text;
	iovec byte = {&text, 1};
	ControlBuffer control = {};
	msghdr message = message_of(byte, control, count);
	std::vector<UniqueFd> fds;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1)
		throw_errno("recvmsg");
	const cmsghdr *header = CMSG_FIRSTHDR(&message);
	REQUIRE(header && header->cmsg_len == CMSG_LEN(count * sizeof(int)));
	for (size_t i = 0; i < count; i++) {
		int fd;

		std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(fd));
		fds.emplace_back(fd);
	}
	return fds;
}

} // namespace kfdm::test
