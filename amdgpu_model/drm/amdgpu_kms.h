/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * amdgpu_kms.h - the render node.
 */
#ifndef AMDGPU_KMS_H
#define AMDGPU_KMS_H

struct drm_driver;
struct file;
struct file_operations;
struct seq_file;

extern const struct drm_driver amdm_drm_driver;
extern const struct file_operations amdm_drm_fops;

/* amdgpu_fdinfo.c */
void amdm_show_fdinfo(struct seq_file *m, struct file *f);

#endif
