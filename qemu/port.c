// SPDX-License-Identifier: MIT
/*
 * port.c - runs in the VM: carries bytes to the host through one of its ports, a virtio port or a serial line.
 *
 *	port DEVICE         standard input, until it ends
 *	port DEVICE log     the kernel's log, as dmesg shows it
 *
 * A serial line is made to change nothing (raw mode), and the host has read all of it when this ends. busybox could do that with cat,
 * dmesg and stty, a process for each and for each line; in User-Mode Linux a process takes up to 25 ms. Static: it lies in the initramfs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <termios.h>
#include <unistd.h>

enum { LOG_READ_ALL = 3, LOG_SIZE = 10 };	/* man 2 syslog */

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void put(int device, const char *bytes, size_t n)
{
	while (n) {
		ssize_t done = write(device, bytes, n);

		if (done < 0)
			fail("write");
		bytes += done;
		n -= done;
	}
}

static void copy(int device)
{
	static char bytes[65536];
	ssize_t n;

	while ((n = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0)
		put(device, bytes, n);
	if (n < 0)
		fail("read");
}

/* Each line begins with its level, "<6>", which nobody wants to see. */
static void put_log(int device)
{
	int size = klogctl(LOG_SIZE, NULL, 0), n;
	char *log = size > 0 ? malloc(size) : NULL, *line, *end;

	if (!log || (n = klogctl(LOG_READ_ALL, log, size)) < 0)
		fail("the kernel's log");
	for (line = log; line < log + n; line = end) {
		char *newline = memchr(line, '\n', log + n - line), *level = NULL;

		end = newline ? newline + 1 : log + n;
		if (*line == '<')
			level = memchr(line, '>', end - line);
		if (level)
			line = level + 1;
		put(device, line, end - line);
	}
	free(log);
}

int main(int argc, char **argv)
{
	struct termios line;
	int device;

	if (argc < 2 || (argc == 3 && strcmp(argv[2], "log")) || argc > 3) {
		fprintf(stderr, "usage: port DEVICE [log]\n");
		return 2;
	}
	device = open(argv[1], O_WRONLY | O_NOCTTY);
	if (device < 0)
		fail(argv[1]);
	if (!tcgetattr(device, &line)) {
		cfmakeraw(&line);
		if (tcsetattr(device, TCSANOW, &line))
			fail(argv[1]);
	}
	if (argc == 3)
		put_log(device);
	else
		copy(device);
	if (isatty(device))
		tcdrain(device);
	return 0;
}
