/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* What an image says of itself: lines of words with tabs between them (sluice/image.h), made of the
 * tables that the firmware is made of. They are in a section that is not loaded, which mkflash puts
 * behind the payload; neither memory nor the time of a boot knows of them. The build defines
 * SL_CONTRACT_ID and FIRMWARE_COMMIT for this file alone (mk/target.mk). */
#include "runs/firmware_version.h"
#include "sluice/limits.h"

#define TEXT(number)      TEXT_OF(number)
#define TEXT_OF(number)   #number
#define RING(name, count) "ring\t" name "\t" TEXT(count) "\n"

#define SL_POLICY(NAME, name, value, graphs, flags, text)                                          \
    "policy\t" #name "\t" #value "\t" #flags "\t" text "\n"
#define SL_PREDICATE(NAME, name, value, text) "predicate\t" #name "\t" #value "\t\t" text "\n"
#define SL_GUARD(NAME, name, value, text)     "guard\t" #name "\t" #value "\t\t" text "\n"

__attribute__((section(".sluice.information"), used)) static const char information[] =
    "contract\t" TEXT(SL_CONTRACT_ID) "\n"
                                      "version\t" FIRMWARE_VERSION_TEXT "\n"
                                      "commit\t" FIRMWARE_COMMIT
                                      "\n" RING("dispatch", SL_DISPATCH_ENTRIES)
                                          RING("completion", SL_COMPLETION_ENTRIES)
                                              RING("fault", SL_FAULT_ENTRIES)
                                                  RING("yield", SL_YIELD_ENTRIES)
                                                      RING("mailbox", SL_MAILBOX_ENTRIES)
#include "contract/guards.def"
#include "contract/policies.def"
#include "contract/predicates.def"
    ;
