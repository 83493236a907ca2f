// Read seeds from standard input; print the state that each gives the generator, in hexadecimal words.

import { pcg64 } from "../../prviz/player/static/live/seeding.js";

const seeds = await new Response(process.stdin).json();
console.log(JSON.stringify(seeds.map((seed) => Array.from(pcg64(seed), (word) => word.toString(16)))));
