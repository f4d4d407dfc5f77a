/* SPDX-License-Identifier: BSD-2-Clause
 * SPDX-FileCopyrightText: The Sluice authors */

/* Reading ELF files of kernels: a good one made here by hand, and what is wrong with each of its
 * bad variants. Loading into a machine is tested with the whole machine (tests/suite). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/check.h"
#include "host/driver/code/debug_lines.h"
#include "host/driver/code/elf.h"
#include "sluice/limits.h"
#include "sluice/memory_map.h"

#define CODE_BASE SL_KERNEL_BASE
#define DATA_BASE (SL_KERNEL_BASE + 0x1000)

/* The file: header, three program headers, code, data, symbols, names, section headers. */
struct file {
    Elf64_Ehdr header;
    Elf64_Phdr segments[3];
    uint32_t code[8];
    uint32_t data[4];
    Elf64_Sym symbols[6];
    char names[96];
    Elf64_Shdr sections[4]; /* the last one only where e_shnum says so */
};

static const char names[] = "\0alpha\0beta\0alias\0__global_pointer$";

static Elf64_Sym symbol(uint32_t name, unsigned bind, unsigned type, uint64_t value, uint64_t size)
{
    return (Elf64_Sym){.st_name = name,
                       .st_info = (unsigned char)ELF64_ST_INFO(bind, type),
                       .st_shndx = SHN_ABS,
                       .st_value = value,
                       .st_size = size};
}

static struct file good_file(void)
{
    struct file file = {
        .header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = EM_RISCV,
                   .e_version = EV_CURRENT,
                   .e_flags = EF_RISCV_FLOAT_ABI_DOUBLE,
                   .e_phoff = offsetof(struct file, segments),
                   .e_shoff = offsetof(struct file, sections),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 3,
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = 3},
        .segments = {{.p_type = PT_LOAD,
                      .p_flags = PF_R | PF_X,
                      .p_offset = offsetof(struct file, code),
                      .p_vaddr = CODE_BASE,
                      .p_filesz = 32,
                      .p_memsz = 32},
                     {.p_type = PT_LOAD,
                      .p_flags = PF_R | PF_W,
                      .p_offset = offsetof(struct file, data),
                      .p_vaddr = DATA_BASE,
                      .p_filesz = 16,
                      .p_memsz = 64},
                     {.p_type = PT_LOAD, .p_flags = PF_R}},
        .code = {0x13, 0x8067, 0x13, 0x13, 0x8067, 0x13, 0x13, 0x8067},
        .data = {1, 2, 3, 4},
        /* beta has no size; its alias, a local symbol, has. */
        .symbols = {{0},
                    symbol(7, STB_GLOBAL, STT_FUNC, CODE_BASE + 8, 0),
                    symbol(1, STB_GLOBAL, STT_FUNC, CODE_BASE, 8),
                    symbol(12, STB_LOCAL, STT_FUNC, CODE_BASE + 8, 12),
                    symbol(18, STB_GLOBAL, STT_NOTYPE, DATA_BASE + 0x800, 0),
                    symbol(1, STB_GLOBAL, STT_FUNC, DATA_BASE, 8)}, /* not in the code */
        .sections = {{0},
                     {.sh_type = SHT_SYMTAB,
                      .sh_offset = offsetof(struct file, symbols),
                      .sh_size = 6 * sizeof(Elf64_Sym),
                      .sh_link = 2,
                      .sh_info = 1,
                      .sh_addralign = 8,
                      .sh_entsize = sizeof(Elf64_Sym)},
                     {.sh_type = SHT_STRTAB,
                      .sh_offset = offsetof(struct file, names),
                      .sh_size = sizeof file.names,
                      .sh_addralign = 1}},
    };
    memcpy(file.names, names, sizeof names);
    return file;
}

static char path[] = "/tmp/sluice-test-elf-XXXXXX";
static char error[512];

static int make_path(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_bytes(const void *bytes, size_t count)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, count, out), count);
    assert_int_equal(fclose(out), 0);
}

/* The message has the path and `reason`. */
static void refused_at(const char *where, const char *reason)
{
    struct sl_elf elf;
    error[0] = '\0';
    assert_int_equal(sl_elf_open(&elf, where, error, sizeof error), SL_ERROR_USAGE);
    if (strstr(error, reason) == NULL || strstr(error, where) == NULL) {
        fail_msg("message is: %s", error);
    }
}

static void refused(const struct file *file, const char *reason)
{
    write_bytes(file, sizeof *file);
    refused_at(path, reason);
}

TEST(test_good)
{
    struct file file = good_file();
    struct sl_elf elf;
    file.header.e_flags |= EF_RISCV_RVC; /* compressed code is no reason to refuse it */
    write_bytes(&file, sizeof file);
    if (sl_elf_open(&elf, path, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    assert_int_equal(elf.segment_count, 2); /* the empty one is none */
    assert_int_equal(elf.segments[elf.code].address, CODE_BASE);
    assert_memory_equal(elf.segments[0].data, file.code, sizeof file.code);
    assert_int_equal(elf.segments[1].file_bytes, 16);
    assert_int_equal(elf.segments[1].bytes, 64);
    assert_int_equal(elf.global_pointer, DATA_BASE + 0x800);

    assert_int_equal(elf.function_count, 3);
    assert_string_equal(elf.functions[0].name, "alpha");
    assert_string_equal(elf.functions[1].name, "beta");
    assert_string_equal(elf.functions[2].name, "alias");
    assert_int_equal(elf.functions[1].bytes, 24); /* to the code's end */
    assert_string_equal(sl_elf_function_at(&elf, CODE_BASE + 4)->name, "alpha");
    assert_string_equal(sl_elf_function_at(&elf, CODE_BASE + 8)->name, "beta");
    assert_string_equal(sl_elf_function_at(&elf, CODE_BASE + 31)->name, "beta");
    assert_null(sl_elf_function_at(&elf, CODE_BASE + 32));
    assert_null(sl_elf_function_at(&elf, CODE_BASE - 1));

    Dwarf *lines = sl_debug_lines_open(elf.elf);
    assert_null(sl_debug_line_at(lines, CODE_BASE).file);
    sl_debug_lines_close(lines);
    sl_elf_close(&elf);
}

TEST(test_not_a_file)
{
    refused_at("/nonexistent/kernels.elf", "cannot be opened: No such file or directory");
    refused_at("/tmp", "is not a regular file");
    refused_at("/dev/zero", "is not a regular file");
    (void)unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* without a writer */
    refused_at(path, "is not a regular file");
    assert_int_equal(unlink(path), 0);
    write_bytes("", 0);
    refused_at(path, "is not an ELF file");
    write_bytes("#!/bin/sh\n", 10);
    refused_at(path, "is not an ELF file");
    refused_at("/proc/self/exe", "is for machine");
}

/* Cut at every length: never accepted before the symbols are whole, never a crash. */
TEST(test_cut_short)
{
    struct file file = good_file();
    const size_t whole = offsetof(struct file, sections[3]); /* without the one that is not used */
    for (size_t bytes = SELFMAG; bytes < whole; bytes++) {
        struct sl_elf elf;
        write_bytes(&file, bytes);
        error[0] = '\0';
        assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), SL_ERROR_USAGE);
        assert_non_null(strstr(error, path));
    }
    write_bytes(&file, 40);
    refused_at(path, "is cut short: 40 bytes");
    write_bytes(&file, offsetof(struct file, code) + 8);
    refused_at(path, "is cut short: a segment ends at byte");
}

TEST(test_wrong_kind)
{
    struct file file = good_file();
    file.header.e_ident[EI_CLASS] = ELFCLASS32;
    refused(&file, "programs are 64 bits");
    file = good_file();
    file.header.e_ident[EI_DATA] = ELFDATA2MSB;
    refused(&file, "little-endian");
    file = good_file();
    file.header.e_machine = EM_X86_64;
    refused(&file, "is for machine 62; programs are for RISC-V (243)");
    file = good_file();
    file.header.e_type = ET_REL;
    refused(&file, "is of ELF type 1, an object file; kernels are linked executables");
    file = good_file();
    file.header.e_flags = EF_RISCV_FLOAT_ABI_SOFT;
    refused(&file, "compile with -mabi=lp64d");
}

TEST(test_segments)
{
    struct file file = good_file();
    file.segments[0].p_vaddr = 0x10000;
    refused(&file,
            "has a segment at 0x10000 of 32 bytes; kernels are from 0x80400000 to 0x80800000");
    file = good_file();
    file.segments[1].p_memsz = SL_KERNEL_BYTES;
    refused(&file, "link with linker/kernel.ld");
    file = good_file();
    file.segments[1].p_memsz = UINT64_MAX;
    refused(&file, "link with linker/kernel.ld");
    file = good_file();
    file.segments[1].p_vaddr = CODE_BASE + 16;
    refused(&file, "has segments at 0x80400000 and 0x80400010 that overlap");
    file = good_file();
    file.segments[1].p_filesz = 65;
    refused(&file, "has more bytes in the file (65) than in memory (64)");
    file = good_file();
    file.segments[1].p_offset = UINT64_MAX - 8;
    refused(&file, "is cut short: a segment ends");
    file = good_file();
    file.segments[0].p_flags |= PF_W;
    refused(&file, "can be both executed and written");
    file = good_file();
    file.segments[0].p_filesz = file.segments[0].p_memsz = 30;
    refused(&file, "code is whole words of 4 bytes");
    file = good_file();
    file.segments[0].p_memsz = 64;
    refused(&file, "all in the file");
    file = good_file();
    file.segments[0].p_flags = PF_R;
    refused(&file, "has 0 executable segments");
    file = good_file();
    file.segments[1].p_flags = PF_R | PF_X;
    file.segments[1].p_memsz = 16;
    refused(&file, "has 2 executable segments");
}

/* Nothing of a file has to lie where its type would be aligned: all tables of this one begin at odd
 * offsets. */
TEST(test_odd_offsets)
{
    struct file file = good_file();
    char bytes[2 * sizeof file + 1];
    struct sl_elf elf;

    file.header.e_phoff += sizeof file + 1;
    file.header.e_shoff += sizeof file + 1;
    file.sections[1].sh_offset += sizeof file + 1;
    file.segments[0].p_offset += sizeof file + 1;
    memcpy(bytes, &file, sizeof file);
    bytes[sizeof file] = 0;
    memcpy(bytes + sizeof file + 1, &file, sizeof file);
    write_bytes(bytes, sizeof bytes);
    if (sl_elf_open(&elf, path, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    assert_int_equal(elf.segment_count, 2);
    assert_memory_equal(elf.segments[0].data, file.code, sizeof file.code);
    assert_int_equal(elf.function_count, 3);
    assert_string_equal(elf.functions[0].name, "alpha");
    sl_elf_close(&elf);

    memset(file.segments, 0, sizeof file.segments);
    file.segments[1] = good_file().segments[0];
    file.segments[1].p_vaddr = SL_FIRMWARE_BASE;
    memcpy(bytes + sizeof file + 1, &file, sizeof file);
    write_bytes(bytes, sizeof bytes);
    assert_int_equal(sl_elf_open_firmware(&elf, path, error, sizeof error), SL_ERROR_USAGE);
    assert_non_null(strstr(error, "has no function")); /* there, unlike its code */
}

TEST(test_symbols)
{
    struct file file = good_file();
    file.sections[1].sh_type = SHT_NULL;
    refused(&file, "has no symbol table");
    file = good_file();
    file.sections[1].sh_size = sizeof(Elf64_Sym);
    refused(&file, "has no function");
    file = good_file();
    file.symbols[2].st_name = 4000; /* a name that is not there: the symbol is passed over */
    struct sl_elf elf;
    write_bytes(&file, sizeof file);
    assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
    assert_int_equal(elf.function_count, 2);
    sl_elf_close(&elf);
}

/* Names of functions stand in messages, traces and profiles: they can steer no terminal, begin no
 * line and no word. */
TEST(test_names)
{
    static const struct {
        const char *name; /* at most 5 characters, in place of "alpha" */
        const char *shown;
    } bad[] = {
        {"a\nb", "'a\\x0ab'"},
        {"\x1b[2J", "'\\x1b[2J'"},
        {"a b", "'a b'"},
        {"(1)", "'(1)'"},
        {"a\x7f", "'a\\x7f'"},
        {"a\xff", "'a\\xff'"},
        {"\xc2\x9b", "'\\xc2\\x9b'"},
        {"", "''"},
    };
    static const char *const good[] = {"a.b$1", "_Z1@a", "\xc3\xa4"};
    struct sl_elf elf;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct file file = good_file();
        (void)snprintf(file.names + 1, 6, "%s", bad[i].name);
        char reason[64];
        (void)snprintf(reason, sizeof reason, "has a function %s at 0x", bad[i].shown);
        refused(&file, reason);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct file file = good_file();
        (void)snprintf(file.names + 1, 6, "%s", good[i]);
        write_bytes(&file, sizeof file);
        assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
        sl_elf_close(&elf);
    }
}

/* The Fibonacci kernel of the build: functions and source lines. */
TEST(test_built)
{
    const char *build = getenv("SLUICE_BUILD");
    char kernel[1024];
    (void)snprintf(kernel, sizeof kernel, "%s/kernels/fib.elf", build == NULL ? "build" : build);
    if (access(kernel, R_OK) != 0) {
        skip(); /* `make test` builds it first */
    }
    struct sl_elf elf;
    if (sl_elf_open(&elf, kernel, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    const char *expected[][2] = {{"fib_kernel", "fib_kernel.c"}, {"sl_enq", "channel_routines.S"}};
    Dwarf *lines = sl_debug_lines_open(elf.elf);
    assert_non_null(lines);
    for (size_t i = 0; i < 2; i++) {
        size_t f = 0;
        while (f < elf.function_count && strcmp(elf.functions[f].name, expected[i][0]) != 0) {
            f++;
        }
        assert_true(f < elf.function_count);
        struct sl_debug_line line = sl_debug_line_at(lines, elf.functions[f].address);
        assert_non_null(line.file);
        assert_true(line.line > 0);
        assert_int_equal(elf.functions[f].address % 64, 0);
        if (i == 1) { /* the first instruction of fib_kernel may be of an inlined function */
            assert_string_equal(line.file, expected[i][1]);
        }
    }
    assert_int_equal(elf.segments[elf.code].address, SL_KERNEL_BASE); /* linker/kernel.ld */
    sl_debug_lines_close(lines);
    sl_elf_close(&elf);
}

/* alpha is an entry, and beta calls it or jumps to it, by one instruction or two. */
TEST(test_entries)
{
    static const struct {
        uint32_t code[2]; /* of beta, which is 8 bytes behind alpha */
        bool is_refused;
    } cases[] = {
        {{0xff9ff0ef, 0x8067}, true},      /* jal ra, alpha */
        {{0xff9ff06f, 0x8067}, true},      /* j alpha */
        {{0x13, 0xfe000ae3}, true},        /* beq zero, zero, alpha */
        {{0x00000097, 0xff8080e7}, true},  /* call alpha */
        {{0x00000317, 0xff830067}, true},  /* tail alpha */
        {{0xffdff0ef, 0x8067}, false},     /* into the middle of it */
        {{0x00000317, 0xff8300e7}, true},  /* a call by another register */
        {{0x00000297, 0xff8300e7}, false}, /* the jump's register is another */
        {{0x0000006f, 0x8067}, false},     /* to itself */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file file = good_file();
        struct sl_elf elf;
        memcpy(&file.code[2], cases[i].code, sizeof cases[i].code);
        write_bytes(&file, sizeof file);
        assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
        assert_false(elf.functions[0].is_entry);
        sl_elf_close(&elf);

        file.symbols[2].st_other = STO_RISCV_VARIANT_CC;
        if (cases[i].is_refused) {
            refused(&file, "calls the kernel 'alpha' in 'beta': a kernel saves no registers");
            continue;
        }
        write_bytes(&file, sizeof file);
        assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
        assert_true(elf.functions[0].is_entry);
        assert_false(elf.functions[1].is_entry);
        sl_elf_close(&elf);
    }
    /* An entry that is a loop, and one that calls itself. */
    for (unsigned i = 0; i < 2; i++) {
        struct file file = good_file();
        file.symbols[2].st_other = STO_RISCV_VARIANT_CC;
        file.code[1] = i == 0 ? 0xffdff06f : 0xffdff0ef;
        if (i == 1) {
            refused(&file, "calls the kernel 'alpha' in 'alpha'");
            continue;
        }
        struct sl_elf elf;
        write_bytes(&file, sizeof file);
        assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
        sl_elf_close(&elf);
    }
}

/* Code is looked at once, whatever many functions say that it is theirs. */
TEST(test_overlapping)
{
    enum { FUNCTIONS = 50000, WORDS = 65536 };
    const size_t code_bytes = WORDS * sizeof(uint32_t);
    struct file file = good_file();
    const size_t bytes = sizeof file + code_bytes + FUNCTIONS * sizeof(Elf64_Sym);
    char *const image = calloc(1, bytes);
    assert_non_null(image);
    uint32_t *const code = (uint32_t *)(void *)(image + sizeof file);
    Elf64_Sym *const symbols = (Elf64_Sym *)(void *)(image + sizeof file + code_bytes);
    for (uint32_t i = 0; i < WORDS; i++) {
        code[i] = 0x13;
    }
    code[WORDS - 1] = 0xffdff0ef; /* jal ra, the instruction before */
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        symbols[i] = symbol(1, STB_GLOBAL, STT_FUNC, CODE_BASE + 4 * i, code_bytes - 4 * i);
    }
    file.segments[0].p_offset = sizeof file;
    file.segments[0].p_filesz = file.segments[0].p_memsz = code_bytes;
    file.segments[1].p_vaddr = CODE_BASE + code_bytes;
    file.sections[1].sh_offset = sizeof file + code_bytes;
    file.sections[1].sh_size = FUNCTIONS * sizeof(Elf64_Sym);
    memcpy(image, &file, sizeof file);
    write_bytes(image, bytes);
    struct sl_elf elf;
    if (sl_elf_open(&elf, path, error, sizeof error) != 0) {
        fail_msg("%s", error);
    }
    assert_int_equal(elf.function_count, FUNCTIONS);
    sl_elf_close(&elf);

    /* The last one is shorter, and a kernel, which is called. */
    symbols[FUNCTIONS - 1].st_value = CODE_BASE + code_bytes - 8;
    symbols[FUNCTIONS - 1].st_size = 8;
    symbols[FUNCTIONS - 1].st_other = STO_RISCV_VARIANT_CC;
    write_bytes(image, bytes);
    refused_at(path, "calls the kernel 'alpha' in 'alpha'");
    free(image);
}

#define LDS_NAME     40u
#define PRINT_NAME   48u
#define RECORDS_NAME 70u

/* A file with a section .lds. */
static struct file lds_file(uint64_t address, uint64_t bytes, uint32_t type)
{
    struct file file = good_file();
    (void)snprintf(file.names + LDS_NAME, 8, ".lds");
    file.header.e_shnum = 4;
    file.header.e_shstrndx = 2;
    file.sections[3] =
        (Elf64_Shdr){.sh_name = LDS_NAME, .sh_type = type, .sh_addr = address, .sh_size = bytes};
    return file;
}

/* What work-groups have of their own is in no segment; the launch needs its size. */
TEST(test_lds)
{
    struct sl_elf elf;
    struct file file = lds_file(SL_LDS_BASE, 1000, SHT_NOBITS);
    write_bytes(&file, sizeof file);
    assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
    assert_int_equal(elf.lds_bytes, 1000);
    assert_int_equal(elf.print_buffer, 0);
    sl_elf_close(&elf);
    file = lds_file(SL_LDS_BASE + 16, 1000, SHT_NOBITS);
    refused(&file, "has LDS variables at 0x60000010 of 1000 bytes; they begin at 0x60000000");
    file = lds_file(SL_LDS_BASE, SL_LDS_BYTES_MAX + 1, SHT_NOBITS);
    refused(&file, "take at most 262144 bytes");
    file = lds_file(SL_LDS_BASE, 4, SHT_PROGBITS);
    refused(&file, "have no contents");
    file = lds_file(0, 0, SHT_PROGBITS); /* a program without any */
    write_bytes(&file, sizeof file);
    assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
    assert_int_equal(elf.lds_bytes, 0);
    sl_elf_close(&elf);
}

/* What code before a program or a dynamic linker would do is done by nobody. Names come from the
 * symbols; where these were stripped, the section stands for them. */
TEST(test_unsupported)
{
    static const struct {
        const char *reason;
        unsigned symbol; /* the type of symbol "alias" */
        uint32_t type;   /* of section ".tls" */
        uint64_t flags;
    } cases[] = {
        {"has the thread-local variable 'alias' (_Thread_local, thread_local): lanes are no "
         "threads",
         STT_TLS, SHT_PROGBITS, 0},
        {"has the indirect function 'alias' (IFUNC)", STT_GNU_IFUNC, SHT_PROGBITS, 0},
        {"has thread-local variables (section .tls)", STT_FUNC, SHT_NOBITS, SHF_ALLOC | SHF_TLS},
        {"has relocations for a dynamic linker (section .tls)", STT_FUNC, SHT_RELA, SHF_ALLOC},
        {NULL, STT_FUNC, SHT_RELA, 0}, /* those that a linker leaves for debuggers (ld -q) */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file file = lds_file(0, 24, cases[i].type);
        struct sl_elf elf;
        memcpy(file.names + LDS_NAME, ".tls", 5);
        file.symbols[3].st_info = (unsigned char)ELF64_ST_INFO(STB_LOCAL, cases[i].symbol);
        file.sections[3].sh_flags = cases[i].flags;
        if (cases[i].reason != NULL) {
            refused(&file, cases[i].reason);
            continue;
        }
        write_bytes(&file, sizeof file);
        assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
        sl_elf_close(&elf);
    }
}

/* A file in which a place says something of itself in a section; alpha is a kernel. */
static struct file record_file(const char *section, uint64_t place, uint64_t number)
{
    const uint64_t record[] = {place, number};
    struct file file = good_file();
    (void)snprintf(file.names + RECORDS_NAME, 16, "%s", section);
    memcpy(file.data, record, sizeof record);
    file.symbols[2].st_other = STO_RISCV_VARIANT_CC;
    file.header.e_shnum = 4;
    file.header.e_shstrndx = 2;
    file.sections[3] = (Elf64_Shdr){.sh_name = RECORDS_NAME,
                                    .sh_type = SHT_PROGBITS,
                                    .sh_offset = offsetof(struct file, data),
                                    .sh_size = sizeof record,
                                    .sh_addralign = 1};
    return file;
}

static struct file resident_file(uint64_t place, uint64_t wavefronts)
{
    return record_file(".sluice.kernels", place, wavefronts);
}

TEST(test_resident)
{
    struct sl_elf elf;
    struct file file = resident_file(CODE_BASE + 4, SL_KERNEL_RESIDENT_MAX);
    write_bytes(&file, sizeof file);
    assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
    assert_int_equal(elf.functions[0].resident, SL_KERNEL_RESIDENT_MAX);
    assert_int_equal(elf.functions[1].resident, 0);
    sl_elf_close(&elf);
    file = resident_file(CODE_BASE, 0);
    refused(&file, "has SL_KERNEL_RESIDENT(0) in 'alpha': wavefronts in flight can be bounded by 1 "
                   "to 65536");
    file = resident_file(CODE_BASE, SL_KERNEL_RESIDENT_MAX + 1);
    refused(&file, "has SL_KERNEL_RESIDENT(65537) in 'alpha'");
    file = resident_file(CODE_BASE + 8, 4);
    refused(&file, "has SL_KERNEL_RESIDENT(4) in 'beta', which is no kernel");
    file = resident_file(DATA_BASE, 4);
    refused(&file, "in '?', which is no kernel");
}

static struct file work_file(uint64_t place, uint64_t functions, uint64_t task_bytes)
{
    return record_file(".sluice.work", place, task_bytes << 32 | functions);
}

TEST(test_work)
{
    struct sl_elf elf;
    struct file file = work_file(CODE_BASE + 4, 8, 64);
    write_bytes(&file, sizeof file);
    assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
    assert_int_equal(elf.functions[0].work.functions, 8);
    assert_int_equal(elf.functions[0].work.task_bytes, 64);
    assert_int_equal(elf.functions[1].work.functions, 0);
    sl_elf_close(&elf);
    file = work_file(CODE_BASE, 9, 64);
    refused(&file, "has a record of 9 functions over tasks of 64 bytes for 'alpha', which is none "
                   "that SL_WORK makes");
    file = work_file(CODE_BASE, 0, 64);
    refused(&file, "has a record of 0 functions");
    file = work_file(CODE_BASE, 1, 0);
    refused(&file, "over tasks of 0 bytes");
    file = work_file(CODE_BASE, 1, 6);
    refused(&file, "over tasks of 6 bytes");
    file = work_file(CODE_BASE, 1, 68);
    refused(&file, "over tasks of 68 bytes");
    file = work_file(CODE_BASE + 8, 1, 4);
    refused(&file, "for 'beta'");
    file = work_file(DATA_BASE, 1, 4);
    refused(&file, "for '?'");
}

/* Where a program prints, the host finds its pointer; only inside its data, and aligned. */
TEST(test_print_buffer)
{
    static const uint64_t places[] = {DATA_BASE + 56, DATA_BASE + 64, DATA_BASE + 4, CODE_BASE, 0};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct sl_elf elf;
        struct file file = good_file();
        (void)snprintf(file.names + PRINT_NAME, 32, "sl_wave_print_buffer");
        file.symbols[5] = symbol(PRINT_NAME, STB_WEAK, STT_OBJECT, places[i], 8);
        write_bytes(&file, sizeof file);
        assert_int_equal(sl_elf_open(&elf, path, error, sizeof error), 0);
        assert_int_equal(elf.print_buffer, i == 0 ? places[i] : 0);
        sl_elf_close(&elf);
    }
}

TEST_GROUP(make_path, remove_path);
