// SPDX-License-Identifier: MIT
//
// without_ptrace COMMAND...: runs COMMAND in a sandbox whose seccomp filter refuses ptrace(), as some container engines do.
#include <cerrno>
#include <cstddef>
#include <cstdio>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2) {
		std::fputs("usage: without_ptrace COMMAND...\n", stderr);
		return 2;
	}
	sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	sock_fprog program{static_cast<unsigned short>(sizeof filter / sizeof *filter), filter};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		std::perror("without_ptrace: seccomp");
		return 1;
	}
	execvp(argv[1], argv + 1);
	std::perror(argv[1]);
	return 1;
}
