// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * DOC: What a GPU node can do
 *
 * The bits of its properties, which a debugger's snapshot of devices shows as well.
 */
#include "kfd_topology.h"

#include "kfd_model/chips/kfd_abi.h"
#include "kfd_model/device/kfd_device.h"

static struct kfdm_capability_inputs capability_inputs(const struct kfdm_device *dev)
{
	const struct kgd2kfd_facts *f = &dev->facts;

	static_assert(KFDM_RAS_UMC == KFD_BRIDGE_RAS_UMC && KFDM_RAS_GRAPHICS == KFD_BRIDGE_RAS_GFX);
	return (struct kfdm_capability_inputs){
		.chip = dev->chip, .ras = f->ras, .svm = f->svm, .virtual_function = f->virtual_function,
		.coherent_host = f->app_apu || f->xgmi_to_cpu, .asic_revision = f->asic_revision, .mec_fw = f->mec_fw,
		.mes_version = f->mes_version,
	};
}

/* No capability of debugging is shown before it is implemented: of GPUs with a MES no waves are executed. */
static bool tells_of_debugging(const struct kfdm_device *dev)
{
	return dev->chip->mes ? kfdm_abi->mes_debugger : kfdm_abi->debugger;
}

/** kfdm_node_capability() - capability */
u32 kfdm_node_capability(const struct kfdm_device *dev)
{
	const struct kfdm_capability_inputs in = capability_inputs(dev);

	return kfdm_abi->capability(&in) | (tells_of_debugging(dev) ? kfdm_abi->debug_capability(&in) : 0);
}

/** kfdm_node_capability2() - capability2 */
u32 kfdm_node_capability2(const struct kfdm_device *dev)
{
	const struct kfdm_capability_inputs in = capability_inputs(dev);

	return tells_of_debugging(dev) ? kfdm_abi->debug_capability2(&in) : 0;
}

/** kfdm_node_debug_prop() - debug_prop */
u32 kfdm_node_debug_prop(const struct kfdm_device *dev)
{
	const struct kfdm_capability_inputs in = capability_inputs(dev);

	return tells_of_debugging(dev) ? kfdm_abi->debug_prop(&in) : 0;
}
