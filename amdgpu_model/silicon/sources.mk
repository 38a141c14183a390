# SPDX-License-Identifier: MIT
#
# Every object of the silicon, once. Read by Kbuild (make) and by CMake (userspace/cmake/silicon.cmake), so keep to lines of
# the form `name += path.o`: path.o is compiled from path.cc in this folder.
#
# silicon-control: keeps the kernel's ban on vector and float registers. Anything reached from a register access, a doorbell
#                  or an interrupt belongs here.
# silicon-exec:    execution units, run only inside kernel_fpu_begin()/kernel_fpu_end(). Compiled once for each word of
#                  silicon-variants, with SILICON_VARIANT defined to that word: put everything into
#                  namespace SILICON_VARIANT, and call no function of another file's header that is not always_inline.

silicon-variants += sse2 avx2 avx512

# The chip: power and time, registers, memory, interrupts
silicon-control += silicon.o xcc.o chips.o base/board.o base/clock.o bus/registers.o
silicon-control += vm/gpuvm.o vm/gpuvm_v8.o vm/hub_registers.o vm/memory.o vm/tlb.o ih/ih.o

# Command processors and their scheduler, SDMA
silicon-control += cp/fabric.o cp/cp.o cp/registers.o cp/gfx.o cp/slots.o cp/queue_grid.o cp/answers.o cp/mqd.o cp/unmap.o
silicon-control += cp/aql.o cp/aql_dispatch.o cp/aql_retire.o cp/pm4.o cp/pm4_packets.o
silicon-control += cp/hws.o cp/hws_list.o cp/hws_packets.o
silicon-control += sdma/sdma.o sdma/packets.o sdma/sub_window.o

# The shader core: compute units, what runs on them, how it gets there
silicon-control += mem/caches.o mem/instruction_caches.o cu/compute_unit.o cu/cu_array.o grid/grid_table.o
silicon-control += sq/turns.o sq/issue.o sq/stops.o sq/gws.o sq/trap.o sq/event_heap.o
silicon-control += spi/staging.o spi/place.o spi/wave_end.o spi/launch.o spi/demand.o spi/trace.o
silicon-control += ace/ace.o ace/deal.o
silicon-control += cwsr/save.o cwsr/restore.o cwsr/restore_place.o cwsr/context_save.o cwsr/grid_record.o
silicon-control += shader/shader_core.o shader/registers.o

# Instructions
silicon-control += isa/decode/decode.o isa/decode/operands.o isa/decode/scalar.o isa/decode/vector.o isa/decode/vop3.o isa/decode/memory.o
silicon-control += isa/tables.o isa/blocks.o isa/engine.o
silicon-control += isa/disasm/disasm.o isa/disasm/operands.o isa/disasm/scalar.o isa/disasm/vector.o isa/disasm/vop3.o isa/disasm/memory.o isa/disasm/text.o
silicon-exec += isa/exec/run.o isa/exec/salu.o isa/exec/control.o isa/exec/vop1.o isa/exec/vop2.o isa/exec/vopc.o
silicon-exec += isa/exec/vop3.o isa/exec/vop3p.o isa/exec/lanes.o isa/exec/prepare.o isa/exec/exceptions.o
silicon-exec += isa/exec/flat.o isa/exec/mubuf.o isa/exec/smem.o isa/exec/ds.o
