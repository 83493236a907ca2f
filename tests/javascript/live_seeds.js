// Read seeds from standard input; print the generator's state for each seed, in hexadecimal words.

import { pcg64 } from "../../prviz/player/static/live/seeding.js";

const seeds = await new Response(process.stdin).json();
console.log(JSON.stringify(seeds.map((seed) => Array.from(pcg64(seed), (word) => word.toString(16)))));
