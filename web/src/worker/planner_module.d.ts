// The Emscripten module, built beside the sources (scripts/build wasm).
declare module '*/build/wasm/nestplan.js' {
  const createPlanner: import('./facade.ts').CreatePlanner;

  export { createPlanner as default };
}
