// SPDX-License-Identifier: GPL-2.0 OR MIT
/**
 * DOC: amdgpu_xcp_node.c - render nodes of partitions
 *
 * The first partition has the GPU's own render node. Each other one that there may be has a node, too, whose minors lead to the GPU: who
 * opens one has a file of the GPU, and the minor tells of which partition (Linux 7.2: amdgpu_xcp_dev_alloc(), amdgpu_xcp_drv.c). Nodes are
 * there whatever the mode; those of partitions that are not cannot be opened. Files keep the GPU, and the GPU keeps the nodes.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_managed.h>
#include <linux/platform_device.h>

#include "amdgpu_model/base/amdgpu_device.h"
#include "amdgpu_model/compat/drm.h"

static const struct drm_driver xcp_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER,
	.name = "amdgpu_xcp_drv",
	.desc = "AMD GPU, a partition",
	KFDM_DRM_DATE("20150101")
	.major = 1,
	.minor = 0,
};

/* To the GPU, or back to the node itself, which is to go. */
static void lead_to(struct drm_device *node, struct drm_device *ddev)
{
	node->render->dev = ddev;
	node->primary->dev = ddev;
}

static void node_free(struct drm_device *node)
{
	struct platform_device *pdev = to_platform_device(node->dev);

	lead_to(node, node);
	drm_dev_put(node);
	platform_device_unregister(pdev);
}

static void nodes_free(struct drm_device *ddev, void *data)
{
	struct amdm_device *adev = amdm_from_drm(ddev);
	u32 i;

	for (i = 1; i < ARRAY_SIZE(adev->xcp_nodes); i++) {
		if (adev->xcp_nodes[i])
			node_free(adev->xcp_nodes[i]);
		adev->xcp_nodes[i] = NULL;
	}
}

static struct drm_device *node_alloc(struct amdm_device *adev, u32 n)
{
	struct platform_device *pdev;
	struct drm_device *node;
	char name[32];

	snprintf(name, sizeof(name), "amdgpu_xcp_%u", adev->index * (KFD_BRIDGE_MAX_XCC - 1) + n - 1);
	pdev = platform_device_register_simple(name, PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(pdev))
		return ERR_CAST(pdev);
	node = drm_dev_alloc(&xcp_driver, &pdev->dev);
	if (IS_ERR(node))
		platform_device_unregister(pdev);
	else
		lead_to(node, &adev->ddev);
	return node;
}

/**
 * amdm_xcp_nodes_alloc() - make the nodes of a GPU whose dies can be partitions
 * @adev: device; its DRM device is there, and keeps them
 *
 * Return: 0, a negative errno.
 */
int amdm_xcp_nodes_alloc(struct amdm_device *adev)
{
	const u32 most = amdm_xccs(adev);
	int ret;
	u32 i;

	if (most == 1)
		return 0;
	ret = drmm_add_action(&adev->ddev, nodes_free, NULL);
	for (i = 1; i < most && !ret; i++) {
		struct drm_device *node = node_alloc(adev, i);

		ret = PTR_ERR_OR_ZERO(node);
		if (!ret)
			adev->xcp_nodes[i] = node;
	}
	return ret;
}

/** amdm_xcp_nodes_register() - they appear. Return: 0, a negative errno; amdm_xcp_nodes_unplug() lets those go that have appeared */
int amdm_xcp_nodes_register(struct amdm_device *adev)
{
	int ret = 0;
	u32 i;

	for (i = 1; i < ARRAY_SIZE(adev->xcp_nodes) && adev->xcp_nodes[i] && !ret; i++)
		ret = drm_dev_register(adev->xcp_nodes[i], 0);
	return ret;
}

/** amdm_xcp_nodes_unplug() - they disappear; open files stay until they are closed */
void amdm_xcp_nodes_unplug(struct amdm_device *adev)
{
	u32 i;

	for (i = 1; i < ARRAY_SIZE(adev->xcp_nodes); i++)
		if (adev->xcp_nodes[i] && adev->xcp_nodes[i]->registered)
			drm_dev_unplug(adev->xcp_nodes[i]);
}

/** amdm_xcp_render_minor() - minor number of the render node of a partition */
int amdm_xcp_render_minor(const struct amdm_xcp *xcp)
{
	const struct amdm_device *adev = xcp->adev;

	return (xcp->id ? adev->xcp_nodes[xcp->id] : &adev->ddev)->render->index;
}

/**
 * amdm_xcp_may_open() - is there the partition whose node a file is of?
 * @adev: device
 * @file: that is being opened
 *
 * Linux 7.2: amdgpu_xcp_open_device(). Return: 0, -ENOENT.
 */
int amdm_xcp_may_open(struct amdm_device *adev, const struct drm_file *file)
{
	u32 i;

	for (i = READ_ONCE(adev->num_xcps); i < ARRAY_SIZE(adev->xcp_nodes); i++) {
		const struct drm_device *node = adev->xcp_nodes[i];

		if (!node || (file->minor != node->render && file->minor != node->primary))
			continue;
		dev_err_ratelimited(&adev->pdev->dev, "renderD%d partition %u not valid!\n", node->render->index, i);
		return -ENOENT;
	}
	return 0;
}
