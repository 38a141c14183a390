# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# The two commands: `make run` and `make test`. Both start on a bare Debian 12 and install what they need; everything they
# write lies in build/ (and the debug kernel in ~/.cache/kfd_model). `make help` lists the rest.

MAKEFLAGS += --no-print-directory
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Ask for a job count with `make JOBS=N`; the parts below run one after the other and are parallel inside.
JOBS ?= $(shell nproc)
export KFDM_JOBS := $(JOBS)
.NOTPARALLEL:

CMAKE_COMMON := -S userspace -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo --log-level=WARNING
# Successful builds say one line; a failed one shows everything.
# Two makes in one build folder would spoil it: the second waits.
cmake-build = mkdir -p build && flock build/.$(1).lock sh -c 'cmake $(CMAKE_COMMON) -B build/$(1) $(2) && ninja -C build/$(1) -j$(JOBS) $(3)'
quiet = log=$$(mktemp) && if { $(1); } > $$log 2>&1; then rm -f $$log; else cat $$log; rm -f $$log; echo "$(2)" >&2; exit 1; fi

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9.-]+:.*## ' Makefile | sed -E 's/^([a-z0-9.-]+):.*## (.*)/\1\t\2/' | while IFS=$$'\t' read -r t d; do printf '  make %-14s %s\n' "$$t" "$$d"; done

.PHONY: run
run: setup-run modules-run demo-tool ## set up, build, boot a VM, load the modules, run the demonstration
	@qemu/demo

.PHONY: setup-run
setup-run:
	@.ci/setup run

# For a VM in QEMU where that is installed, else for User-Mode Linux.
.PHONY: modules-run
modules-run:
	@if qemu/kernel stock > /dev/null 2>&1 && command -v qemu-system-x86_64 > /dev/null; then \
		(qemu/accel qemu '' '' > /dev/null 2>&1 &); \
		$(MAKE) modules $(if $(wildcard build/stock/amdgpu_model/silicon/isa/exec/run.avx512.o),,$(modules-only)); \
	else $(MAKE) modules-uml; fi

# What is tried out for the first time is compiled in half of the time: one execution unit of three, no debug information, no tests, and for the
# demonstration no silicon in user space. A tree that has the rest already keeps it. KVM, if there is one, is tried in the meantime: a broken one
# takes ten seconds.
vector-unit := $(if $(shell grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo && echo yes),avx2,sse2)
modules-only := KCFLAGS=-g0 KFDM_ONE_VARIANT=$(vector-unit)
demo-only := -DKFDM_TESTS=OFF -DCMAKE_BUILD_TYPE=Release -DKFDM_SILICON=OFF
tools-only := -DKFDM_TESTS=OFF -DCMAKE_BUILD_TYPE=Release -DKFDM_ONE_VARIANT=$(vector-unit)

# What has been configured, for the demonstration or for more, is not configured again: half a second.
demo-build = $(if $(wildcard build/native/build.ninja),flock build/.native.lock ninja -C build/native -j$(JOBS) kfdm,$(call cmake-build,native,$(demo-only),kfdm))

.PHONY: demo-tool
demo-tool:
	@echo "  CMAKE   kfdm"
	@$(call quiet,$(demo-build),make: the tool does not compile (see above).)

.PHONY: tools
tools: ## build the library, the kfdm tool and its device code only (build/native)
	@echo "  CMAKE   kfdm"
	@$(call quiet,$(call cmake-build,native,-DKFDM_SILICON=ON $(if $(wildcard build/native/tests/system),,$(tools-only)),kfdm),make: the tool does not compile (see above).)

.PHONY: test
test: setup modules debug-kernel modules-debug modules-uml modules-newer userspace hip asan libdrm-tests torture-tests ## set up, build, pass every test
	@.ci/test

.PHONY: check
check: setup modules-uml userspace hip ## the short test: native, golden vectors, KUnit and programs in User-Mode Linux
	@.ci/test quick

.PHONY: libdrm-tests
libdrm-tests: setup ## build libdrm's amdgpu_test from Debian's source package, once
	@qemu/libdrm-tests

.PHONY: setup
setup: ## install the Debian packages that are missing
	@.ci/setup

.PHONY: modules
modules: ## build the modules for Debian's stock kernel (build/stock)
	@echo "  MODULES stock"
	@$(call quiet,qemu/build-modules stock,make: the modules do not compile for the stock kernel (see above).)

.PHONY: debug-kernel
debug-kernel: ## build the debug kernel: KUnit, KASAN, lockdep, kmemleak (once, kept in ~/.cache/kfd_model)
	@qemu/build-kernel debug > /dev/null

.PHONY: uml
uml: modules-uml tools ## build what 'qemu/vm --accel uml' needs: a User-Mode Linux kernel (once) and the modules for it

.PHONY: setup-uml
setup-uml:
	@.ci/setup uml

.PHONY: modules-uml
modules-uml: setup-uml ## build the User-Mode Linux kernel (once, kept in ~/.cache/kfd_model) and the modules for it
	@qemu/build-kernel uml > /dev/null
	@echo "  MODULES uml"
	@$(call quiet,qemu/build-modules uml,make: the modules do not compile for User-Mode Linux (see above).)

.PHONY: modules-uml-debug
modules-uml-debug: setup-uml ## the same with KASAN, lockdep and kmemleak, for qemu/vm --accel uml --kernel debug
	@qemu/build-kernel uml-debug > /dev/null
	@echo "  MODULES uml-debug"
	@$(call quiet,qemu/build-modules uml-debug,make: the modules do not compile for User-Mode Linux (see above).)

.PHONY: modules-uml-6.12 modules-uml-7.2
modules-uml-6.12: ## the same of Linux 6.12, for qemu/vm --accel uml --kernel 6.12 and kunit/run uml-6.12
modules-uml-7.2: ## the same of Linux 7.2, for qemu/vm --accel uml --kernel 7.2 and kunit/run uml-7.2
modules-uml-6.12 modules-uml-7.2: modules-%: setup-uml
	@qemu/build-kernel $* > /dev/null
	@echo "  MODULES $*"
	@$(call quiet,qemu/build-modules $*,make: the modules do not compile for $* (see above).)

.PHONY: modules-uml-gcov
modules-uml-gcov: setup-uml ## the same with gcov, for .ci/coverage
	@qemu/build-kernel uml-gcov > /dev/null
	@echo "  MODULES uml-gcov"
	@$(call quiet,qemu/build-modules uml-gcov,make: the modules do not compile for User-Mode Linux with gcov (see above).)

.PHONY: kernels
kernels: ## get Debian's kernels 6.12 and 7.2 with their compilers, once, and build the modules for them: qemu/vm --kernel 7.2
	@command -v mmdebstrap > /dev/null || { echo "make: install mmdebstrap first (apt-get install mmdebstrap)" >&2; exit 1; }
	@qemu/debian-kernel 6.12 --get > /dev/null && qemu/debian-kernel 7.2 --get > /dev/null
	@echo "  MODULES 6.12"
	@$(call quiet,qemu/build-modules 6.12,make: the modules do not compile for Linux 6.12 (see above).)
	@echo "  MODULES 7.2"
	@$(call quiet,qemu/build-modules 7.2,make: the modules do not compile for Linux 7.2 (see above).)

# Where they are; their compilers run in root file systems of their own, which needs root.
.PHONY: modules-newer
modules-newer: ## build the modules for the newer kernels that 'make kernels' and 'make modules-uml-7.2' or -6.12 have got
	@for kernel in uml-6.12 uml-7.2; do \
		! qemu/build-kernel $$kernel --path > /dev/null || $(MAKE) modules-$$kernel || exit 1; \
	done
	@[ "$$(id -u)" = 0 ] || exit 0; for kernel in 6.12 7.2; do \
		qemu/debian-kernel $$kernel > /dev/null || continue; \
		echo "  MODULES $$kernel"; \
		$(call quiet,qemu/build-modules $$kernel,make: the modules do not compile for Linux $$kernel (see above).) || exit 1; \
	done

.PHONY: coverage
coverage: setup modules-uml-gcov userspace ## table of the driver's lines that tests execute: Documentation/coverage.md
	@.ci/coverage

.PHONY: modules-kcsan
modules-kcsan: setup ## the same for a kernel with KCSAN, which looks for data races: qemu/run-tests kcsan (once 7 minutes)
	@qemu/build-kernel kcsan > /dev/null
	@echo "  MODULES kcsan"
	@$(call quiet,qemu/build-modules kcsan,make: the modules do not compile for the KCSAN kernel (see above).)

.PHONY: modules-debug
modules-debug: debug-kernel ## build the modules and the KUnit suites for the debug kernel (build/debug)
	@echo "  MODULES debug"
	@$(call quiet,qemu/build-modules debug,make: the modules do not compile for the debug kernel (see above).)

.PHONY: userspace
userspace: ## build the library, the tools, the device code and the tests (build/native)
	@echo "  CMAKE   native"
	@$(call quiet,$(call cmake-build,native,-DKFDM_TESTS=ON -DKFDM_SILICON=ON -DKFDM_ONE_VARIANT=),make: user space does not compile (see above).)

.PHONY: hip
hip: ## compile the HIP tests and examples with Debian's hipcc (part of userspace)
	@echo "  HIPCC   programs"
	@$(call quiet,flock build/.native.lock ninja -C build/native -j$(JOBS) hip_programs,make: the HIP programs do not compile (see above).)

.PHONY: examples
examples: setup modules userspace hip ## build the HIP examples and run all of them in one VM
	@qemu/run-tests stock --set hip

.PHONY: asan
asan: ## the same with AddressSanitizer and UndefinedBehaviorSanitizer (build/asan)
	@echo "  CMAKE   asan"
	@$(call quiet,$(call cmake-build,asan,-DKFDM_SANITIZE=address$(comma)undefined),make: user space does not compile with sanitizers (see above).)
comma := ,

.PHONY: checks
checks: modules modules-debug ## licence lines, include rules, symbols and registers of the silicon
	@.ci/checks

.PHONY: native
native: userspace asan ## native tests, plain and under the sanitizers
	@.ci/test native asan

.PHONY: system
system: modules modules-debug userspace ## ioctl-level tests in the VM, on both kernels
	@.ci/test system-stock system-debug system-chips

.PHONY: kunit
kunit: modules-debug ## KUnit suites in the debug kernel, as a KTAP document
	@kunit/run --tap

.PHONY: bench
ifdef COMPARE
bench: setup ## measure: latencies in the VM as ratios, the silicon natively; COMPARE=REF: beside that commit's
	@qemu/bench-compare $(COMPARE) $(ROUNDS)
else
bench: modules userspace
	@qemu/bench
endif

.PHONY: lint
lint: setup ## what tools say about the sources: shellcheck, codespell, checkpatch, kernel-doc, clang-format, clang-tidy (.ci/lint all: more)
	@.ci/lint

.PHONY: format
format: setup ## the C++ half in the format of .clang-format
	@.ci/format

.PHONY: fuzz-isa
fuzz-isa: userspace ## differential programs against the host's compiler (N=COUNT SEED=FIRST MCPU=gfx906)
	@build/native/bin/isa_fuzz --count $(or $(N),1000) --seed $(or $(SEED),1) --mcpu $(or $(MCPU),gfx906) --folder build/fuzz-isa

.PHONY: ocml
ocml: userspace ## the device library's mathematical functions against MPFR (N=ARGUMENTS SEED=FIRST MCPU=gfx906 FUNCTION="sin cos")
	@build/native/bin/isa_ocml --count $(or $(N),100000) --seed $(or $(SEED),1) --mcpu $(or $(MCPU),gfx906) --folder build/ocml $(FUNCTION)

.PHONY: fuzz-words
fuzz-words: setup ## random words under libFuzzer and the sanitizers (N=COUNT SEED=FIRST)
	@$(call quiet,cmake -S userspace/tests/silicon/isa/words -B build/fuzz-words -G Ninja -DCMAKE_CXX_COMPILER=clang++-15 && \
		ninja -C build/fuzz-words -j$(JOBS),make: the word fuzzer does not compile (see above).)
	@mkdir -p build/fuzz-words/corpus && cd build/fuzz-words && ./fuzz_words -runs=$(or $(N),1000000) -seed=$(or $(SEED),1) -max_len=68 \
		-timeout=10 -print_final_stats=1 corpus

.PHONY: fuzz-chip
fuzz-chip: setup ## hostile programs for the whole chip under libFuzzer and the sanitizers (N=COUNT SEED=FIRST)
	@$(call quiet,cmake -S userspace/tests/silicon/fuzz -B build/fuzz-chip -G Ninja -DCMAKE_CXX_COMPILER=clang++-15 && \
		ninja -C build/fuzz-chip -j$(JOBS),make: the chip fuzzer does not compile (see above).)
	@mkdir -p build/fuzz-chip/corpus && userspace/tests/silicon/fuzz/corpus unpack build/fuzz-chip/corpus && cd build/fuzz-chip && \
		./fuzz_chip -runs=$(or $(N),1000000) -seed=$(or $(SEED),1) -max_len=512 -timeout=10 -print_final_stats=1 corpus && \
		echo "$(or $(N),1000000) passed, 0 failed"

.PHONY: fuzz-ioctl
fuzz-ioctl: modules-uml-debug userspace ## programs of ioctls in User-Mode Linux, guided by coverage (N=SECONDS SEED=FIRST)
	@build/native/bin/ioctl_fuzz run --seconds $(or $(N),600) --seed $(or $(SEED),1) -- --kernel debug --cus 8

.PHONY: torture-tests
torture-tests: setup ## get GCC's torture tests from Debian's gcc-12-source, once
	@.ci/torture-tests

.PHONY: torture
torture: userspace torture-tests ## all of GCC's torture tests on the silicon, at four levels (MCPU=gfx906)
	@build/native/bin/isa_torture --tests build/gcc-torture --mcpu $(or $(MCPU),gfx906) --jobs $(JOBS) --folder build/torture

.PHONY: soak
soak: modules modules-debug modules-kcsan modules-uml-debug modules-uml-gcov modules-newer userspace hip ## the long tests with their full counts (hours; .ci/soak PART for one of them)
	@.ci/soak

.PHONY: workloads
workloads: modules-uml ## programs of others on newer ROCm releases: Documentation/workloads.md (hours; .ci/workloads ROW for one of them)
	@.ci/workloads

.PHONY: golden
golden: userspace ## compare with the vectors of the real driver's functions (DATA=FOLDER: with others; ABI=7.2: of that Linux)
	@.ci/golden $(if $(ABI),--abi $(ABI)) $(DATA)

.PHONY: syzkaller
syzkaller: userspace ## write the descriptions of the ioctls and a seed corpus for a tree of syzkaller: build/syzkaller
	@rm -rf build/syzkaller && build/native/bin/syz_export build/syzkaller

PREFIX ?= /usr/local

# As it is installed: shared libraries, paths of PREFIX. Debian's rules add their own flags by CMAKE_FLAGS.
.PHONY: build-install
build-install:
	@echo "  CMAKE   install"
	@$(call quiet,$(call cmake-build,install,-DKFDM_TESTS=OFF -DKFDM_SHARED=ON -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS)),make: the tool does not compile (see above).)

.PHONY: install
install: build-install ## install kfdm, libkfdm, kfdm-vm, pages below DESTDIR and PREFIX (default /usr/local)
	@DESTDIR=$(DESTDIR) cmake --install build/install > build/install.log || { cat build/install.log; exit 1; }
	@packaging/install "$(DESTDIR)" "$(PREFIX)"
	@echo "  INSTALL $(DESTDIR)$(PREFIX)"

.PHONY: dist
dist: ## write the source archive build/kfd-model-VERSION.tar.xz, which builds without git
	@packaging/dist

.PHONY: deb
deb: ## build the Debian packages in build/deb (needs debhelper, dh-dkms; lintian looks at them if it is installed)
	@packaging/deb

.PHONY: clean
clean: ## remove build/ (not the debug kernel in ~/.cache/kfd_model)
	rm -rf build
