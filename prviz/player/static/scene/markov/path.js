// The most probable path through a hidden Markov model (Viterbi), computed from the probabilities in a frame.

/**
 * A hidden Markov model, with probabilities as bytes: start (n,), transition (n, n), emission (n, symbols).
 * @typedef {{start: Uint8Array, transition: Uint8Array, emission: Uint8Array}} Model
 */

/**
 * Return states in the order of their first visit on the path; states that are not visited follow by number.
 * @param {Model} model @param {ArrayLike<number>} sequence
 */
export function firstVisits({ start, transition, emission }, sequence) {
  const n = start.length;
  return Uint16Array.from(new Set([...bestPath(start, transition, emission, sequence), ...Array(n).keys()]));
}

/**
 * @param {Uint8Array} start @param {Uint8Array} transition @param {Uint8Array} emission
 * @param {ArrayLike<number>} sequence
 */
function bestPath(start, transition, emission, sequence) {
  const n = start.length, symbols = emission.length / n;
  const from = []; // step → state → the previous state
  let best = Float64Array.from(start);
  for (let t = 0; t < sequence.length; t++) {
    if (t > 0) {
      const reached = new Float64Array(n), before = new Uint16Array(n);
      for (let i = 0; i < n; i++) {
        if (!best[i]) continue;
        for (let j = 0; j < n; j++) {
          const chance = best[i] * transition[i * n + j];
          if (chance > reached[j]) [reached[j], before[j]] = [chance, i];
        }
      }
      from.push(before);
      best = reached;
    }
    for (let j = 0; j < n; j++) best[j] *= emission[j * symbols + sequence[t]];
    const most = Math.max(...best);
    // Rounding to bytes may make every path impossible. Then continue from any state.
    best = most ? best.map((chance) => chance / most) : new Float64Array(n).fill(1);
  }
  const path = [best.indexOf(Math.max(...best))];
  for (let t = from.length - 1; t >= 0; t--) path.push(from[t][path[path.length - 1]]);
  return path.reverse();
}
