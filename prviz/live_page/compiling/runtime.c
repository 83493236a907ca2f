/* Functions that compiled kernels call: memory, PCG64 and a clock, for wasm32 without a C library. */
#include <stddef.h>
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* Memory with reference counts. Block sizes are powers of two. Each size has a list of free blocks. */

extern unsigned char __heap_base;
static uintptr_t heap_end;

EXPORT(reserve) void *reserve(uintptr_t size) {
  uintptr_t begin = ((heap_end ? heap_end : (uintptr_t)&__heap_base) + 63) & ~(uintptr_t)63;
  uintptr_t pages = __builtin_wasm_memory_size(0), needed = (begin + size + 65535) >> 16;
  if (needed > pages && __builtin_wasm_memory_grow(0, needed - pages) == (size_t)-1) __builtin_trap();
  heap_end = begin + size;
  return (void *)begin;
}

/* The fields that Numba's code reads. Its integers have 64 bits. */
typedef struct MemInfo {
  int64_t references;
  void *destructor, *destructor_info, *data;
  int64_t size;
  int32_t size_class;
  struct MemInfo *next_free;
} MemInfo;

enum { HEAD = 64 }; /* bytes before the data */
static MemInfo *free_blocks[32];

void *NRT_MemInfo_alloc_aligned(int64_t size, uint32_t align) {
  int size_class = 32 - __builtin_clz((uint32_t)size + HEAD - 1);
  MemInfo *block = free_blocks[size_class];
  if (block) free_blocks[size_class] = block->next_free;
  else block = reserve((uintptr_t)1 << size_class);
  *block = (MemInfo){.references = 1, .data = (char *)block + HEAD, .size = size, .size_class = size_class};
  return block;
}

void *NRT_MemInfo_alloc_safe_aligned(int64_t size, uint32_t align) {
  return NRT_MemInfo_alloc_aligned(size, align);
}

void NRT_MemInfo_call_dtor(MemInfo *block) {
  block->next_free = free_blocks[block->size_class];
  free_blocks[block->size_class] = block;
}

/* Only exceptions use these two functions. An exception ends the search, so nothing is freed. */
void *NRT_Allocate(int64_t size) { return reserve((uintptr_t)size); }
void NRT_Free(void *pointer) {}

/* Random bits: NumPy's PCG64. The state is six words of 64 bits. */

typedef struct {
  uint64_t high, low, increment_high, increment_low, has_half, half;
} Pcg64;

/* The upper half of a product of 64-bit numbers. */
static uint64_t high_product(uint64_t a, uint64_t b) {
  uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
  uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
  __asm__("" : "+r"(middle)); /* otherwise the compiler calls __multi3 instead of this function */
  uint64_t carried = a_low * b_high + (uint32_t)middle;
  return a_high * b_high + (middle >> 32) + (carried >> 32);
}

static uint64_t next64(Pcg64 *pcg) {
  const uint64_t factor_high = 0x2360ed051fc65da4, factor_low = 0x4385df649fccf645;
  uint64_t low = pcg->low * factor_low;
  uint64_t high = high_product(pcg->low, factor_low) + pcg->high * factor_low + pcg->low * factor_high;
  pcg->low = low + pcg->increment_low;
  pcg->high = high + pcg->increment_high + (pcg->low < low);
  uint64_t mixed = pcg->high ^ pcg->low, turn = pcg->high >> 58;
  return mixed >> turn | mixed << (-turn & 63);
}

/* Kernels call these functions by pointer. The address of the state has 64 bits. */
static Pcg64 *at(uint64_t address) { return (Pcg64 *)(uintptr_t)address; }

static uint64_t draw_uint64(uint64_t address) { return next64(at(address)); }

static uint32_t draw_uint32(uint64_t address) {
  Pcg64 *pcg = at(address);
  if (!pcg->has_half) {
    uint64_t both = next64(pcg);
    pcg->half = both >> 32;
    pcg->has_half = 1;
    return (uint32_t)both;
  }
  pcg->has_half = 0;
  return (uint32_t)pcg->half;
}

static double draw_double(uint64_t address) { return (double)(next64(at(address)) >> 11) * 0x1p-53; }

EXPORT(draw) void *draw(int kind) {
  return kind == 0 ? (void *)draw_uint64 : kind == 1 ? (void *)draw_uint32 : (void *)draw_double;
}

/* 128-bit multiplication: the compiler expects it in a library. */
void __multi3(uint64_t *product, uint64_t a, uint64_t a_high, uint64_t b, uint64_t b_high) {
  product[0] = a * b;
  product[1] = high_product(a, b) + a * b_high + a_high * b;
}

/* Compute the strides of an array in another shape. Kernels reshape only contiguous arrays. */
int numba_attempt_nocopy_reshape(int64_t n_dims, const int64_t *shape, const int64_t *strides, int64_t new_n_dims,
                                 const int64_t *new_shape, int64_t *new_strides, int64_t itemsize, int fortran) {
  int64_t bytes = itemsize, new_bytes = itemsize;
  for (int64_t i = n_dims - 1; i >= 0; i--) {
    if (shape[i] != 1 && strides[i] != bytes) return 0;
    bytes *= shape[i];
  }
  for (int64_t i = new_n_dims - 1; i >= 0; i--) {
    new_strides[i] = new_bytes;
    new_bytes *= new_shape[i];
  }
  return bytes == new_bytes && !fortran;
}

/* A page has only one clock, which is used for wall time and for CPU time. */

__attribute__((import_module("page"), import_name("milliseconds"))) double milliseconds(void);

int clock_gettime(int clock, int64_t *seconds_and_nanoseconds) {
  int64_t now = (int64_t)(milliseconds() * 1e6);
  seconds_and_nanoseconds[0] = now / 1000000000;
  seconds_and_nanoseconds[1] = now % 1000000000;
  return 0;
}
