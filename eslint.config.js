// The linter's rules for the player's JavaScript and its tests.

import js from "@eslint/js";
import globals from "globals";

const STATIC = "prviz/player/static";

export default [
  { ignores: [".venv*/", "**/node_modules/", "build/", "**/dist/"] },
  js.configs.recommended,
  {
    rules: {
      "eqeqeq": ["error", "always", { null: "ignore" }],
      "no-else-return": "error",
      "no-lonely-if": "error",
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  { files: [`${STATIC}/**/*.js`, "docs/_static/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["prviz/site/static/*.js"], languageOptions: { globals: { ...globals.browser, ...globals.serviceworker, ABOUT: "readonly" } } },
  { files: ["benchmarks/*.js", "tests/javascript/**/*.js", "tools/*.mjs"], languageOptions: { globals: globals.node } },
];
