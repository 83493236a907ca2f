// The random numbers of NumPy's default_rng(seed), which is PCG64 with a SeedSequence.

const FACTOR = 0x2360ed051fc65da44385df649fccf645n; // multiplier of PCG64
const WORD = (1n << 64n) - 1n, WHOLE = (1n << 128n) - 1n;
const POOL = 4; // words of 32 bits

/** @param {number} a @param {number} b */
const product = (a, b) => Math.imul(a, b) >>> 0;
/** @param {number} x */
const folded = (x) => (x ^ (x >>> 16)) >>> 0;

/** Return a hash function whose constant changes from call to call. @param {number} constant @param {number} factor */
function hasher(constant, factor) {
  return (/** @type {number} */ value) => {
    const mixed = (value ^ constant) >>> 0;
    constant = product(constant, factor);
    return folded(product(mixed, constant));
  };
}

/** Return the first 32-bit words of SeedSequence(seed). @param {number} seed at most 2^53 @param {number} count */
export function seedWords(seed, count) {
  const entropy = [seed >>> 0, Math.floor(seed / 2 ** 32)];
  const enter = hasher(0x43b0d7e5, 0x931e8875);
  const pool = Array.from({ length: POOL }, (_, i) => enter(entropy[i] ?? 0));
  for (let from = 0; from < POOL; from++) {
    for (let to = 0; to < POOL; to++) {
      if (from === to) continue;
      pool[to] = folded((product(pool[to], 0xca01f9dd) - product(enter(pool[from]), 0x4973f715)) >>> 0);
    }
  }
  const leave = hasher(0x8b51f9dd, 0x58f38ded);
  return Array.from({ length: count }, (_, i) => leave(pool[i % POOL]));
}

/** Return a new generator in the layout of runtime.c: state and increment (upper halves first), and an empty buffer (two zeros). @param {number} seed */
export function pcg64(seed) {
  const words = seedWords(seed, 8).map(BigInt);
  const [a, b, c, d] = [0, 2, 4, 6].map((i) => words[i] | (words[i + 1] << 32n));
  const increment = (((c << 64n) | d) << 1n | 1n) & WHOLE;
  const state = ((((a << 64n) | b) + increment) * FACTOR + increment) & WHOLE;
  return BigUint64Array.of(state >> 64n, state & WORD, increment >> 64n, increment & WORD, 0n, 0n);
}
