/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* The kernels of hybrid_histo.c: four launches for each image. Each but the last has a slice of the
 * image for each work-group, of which wavefronts load whole lines. */
#include "sluice/wave/wave.h"
#include "workloads/histogram/hybrid_histo.h"

/* The pixels of a work-item: every HISTO_GROUPth from its first on, up to `end`. */
struct share {
    const uint32_t *pixel;
    const uint32_t *end;
};

static inline struct share own_share(const uint32_t *pixels, uint64_t count, uint64_t slice)
{
    const uint64_t begin = slice * HISTO_SLICE, left = count - begin;

    return (struct share){.pixel = pixels + begin + sl_local_id(0),
                          .end = pixels + begin + (left < HISTO_SLICE ? left : HISTO_SLICE)};
}

/* The extremes of an image, of which each wavefront adds those of its part. */
SL_KERNEL void histo_prescan(const uint32_t *image, uint64_t count, struct extremes *extremes)
{
    struct share share = own_share(image, count, sl_group_id(0));
    uint64_t least = UINT32_MAX, greatest = 0;

    for (; share.pixel < share.end; share.pixel += HISTO_GROUP) {
        const uint64_t value = *share.pixel;
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
    }
    least = sl_reduce_minu(least);
    greatest = sl_reduce_maxu(greatest);
    if (sl_elect()) {
        (void)sl_atomic_min_u32_device(&extremes->least, (uint32_t)least);
        (void)sl_atomic_max_u32_device(&extremes->greatest, (uint32_t)greatest);
    }
}

/* The bin of each pixel. */
SL_KERNEL void histo_inter(const uint32_t *image, uint64_t count, const struct extremes *extremes,
                           uint64_t bins, uint32_t *bin_of)
{
    struct share share = own_share(image, count, sl_group_id(0));
    const uint32_t least = extremes->least;
    const uint64_t values = (uint64_t)extremes->greatest - least + 1;
    uint32_t *bin = bin_of + (share.pixel - image);

    for (; share.pixel < share.end; share.pixel += HISTO_GROUP, bin += HISTO_GROUP) {
        *bin = histo_bin(*share.pixel, least, values, bins);
    }
}

/* Counts the pixels of a range of bins, but those of bins that are full since an earlier image. The
 * work-groups of all ranges read the whole image. */
SL_KERNEL void histo_main(const uint32_t *bin_of, uint64_t count, uint64_t range_bins,
                          const uint8_t *histogram, uint32_t *counts)
{
    struct share share = own_share(bin_of, count, sl_group_id(1));
    const uint64_t first = sl_group_id(0) * range_bins;

    histogram += first;
    counts += first;
    for (; share.pixel < share.end; share.pixel += HISTO_GROUP) {
        const uint64_t bin = *share.pixel - first;
        if (bin < range_bins && histogram[bin] < HISTO_MOST) {
            (void)sl_atomic_add_u32(&counts[bin], 1);
        }
    }
}

/* Adds an image's counts to the histogram, a work-item for each bin, and clears them. */
SL_KERNEL void histo_final(uint32_t *counts, uint8_t *histogram)
{
    const uint64_t bin = sl_global_id(0);
    const uint32_t sum = histogram[bin] + counts[bin];

    histogram[bin] = (uint8_t)(sum < HISTO_MOST ? sum : HISTO_MOST);
    counts[bin] = 0;
}
