// SPDX-License-Identifier: MIT
/* registers.cc - registers of the shader core: what a write sets in motion, and those that read as what is there. */
#include "shader_core.h"

namespace silicon {

void ShaderCore::wrote(const RegisterAccess &access)
{
	switch (access.base) {
	case mmSPI_WCL_PIPE_PERCENT_GFX: /* the graphics ring's kernels have the last pipe */
		set_share(max_pipes - 1, REG_GET(access.value, SPI_WCL_PIPE_PERCENT_GFX, VALUE));
		break;
	case mmSPI_WCL_PIPE_PERCENT_CS0:
	case mmSPI_WCL_PIPE_PERCENT_CS1:
	case mmSPI_WCL_PIPE_PERCENT_CS2:
	case mmSPI_WCL_PIPE_PERCENT_CS3:
	case mmSPI_WCL_PIPE_PERCENT_CS4:
	case mmSPI_WCL_PIPE_PERCENT_CS5:
	case mmSPI_WCL_PIPE_PERCENT_CS6:
		set_share(access.base - mmSPI_WCL_PIPE_PERCENT_CS0, REG_GET(access.value, SPI_WCL_PIPE_PERCENT_CS0, VALUE));
		break;
	/* What the GFXHUB translated anew may be other code. */
	case mmVM_INVALIDATE_REQUEST:
	case mmVM_INVALIDATE_ENG0_REQ: flush_instructions(); break;
	case mmIH_RETRY_CAM_ACK: /* the driver has done what it could about a page */ sq_.retry_faults(); break;
	default: wrote_debug(access);
	}
}

/* Where debugging is one VMID's alone: which one, how its waves start, what they trap at and which memory they watch. */
void ShaderCore::wrote_debug(const RegisterAccess &access)
{
	const u32 value = access.value;

	switch (access.base) {
	case mmSPI_GDBG_WAVE_CNTL2:
		for (unsigned vmid = 0; vmid < gdbg::vmids; vmid++)
			set_debug(vmid, REG_GET(value, SPI_GDBG_WAVE_CNTL2, VMID_MASK) >> vmid & 1 ?
						gdbg::mode_field(REG_GET(value, SPI_GDBG_WAVE_CNTL2, MODE)) :
						0);
		break;
	case mmSPI_GDBG_TRAP_MASK:
		spi_.set_debug_all(
			gdbg::excp_field(REG_GET(value, SPI_GDBG_TRAP_MASK, EXCP_EN), REG_GET(value, SPI_GDBG_TRAP_MASK, REPLACE)));
		break;
	case mmTCP_WATCH0_ADDR_H: watch_.set_high(access.index, value); break;
	case mmTCP_WATCH0_ADDR_L: watch_.set_low(access.index, value); break;
	case mmTCP_WATCH0_CNTL: watch_.set_control_of_one(access.index, value); break;
	}
}

bool ShaderCore::read(const RegisterFile &registers, const RegisterAccess &access, u32 *value) const
{
	const u32 cntl = registers.at<mmGRBM_GFX_CNTL>();
	const u32 array = registers.at<mmGRBM_GFX_INDEX>();

	switch (access.base) {
	case mmGRBM_STATUS: *value = idle() ? 0 : REG_MASK(GRBM_STATUS, GUI_ACTIVE) | REG_MASK(GRBM_STATUS, SPI_BUSY); return true;
	case mmSPI_CSQ_WF_ACTIVE_COUNT_0:
		/* Waves are not counted by shader engine: the first one answers for all. */
		*value = !bit(array, 31) && bits(array, 23, 16) ?
				 0 :
				 waves_of(max(bits(cntl, 3, 2), u32{1}), bits(cntl, 1, 0), access.index) & 0x7ff;
		return true;
	case mmSPI_CSQ_WF_ACTIVE_STATUS:
		*value = 0;
		for (unsigned n = 0; n < 32; n++)
			*value |= static_cast<u32>(waves_of(1, n / 8, n % 8) != 0) << n;
		return true;
	}
	return false;
}

} // namespace silicon
