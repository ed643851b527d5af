// Who may know whom (ARCHITECTURE.md, "The house"). Tests may cross rooms; product code may not.
const rooms = [
  "http",
  "tokens",
  "imaging",
  "inference",
  "face",
  "document",
  "people",
  "gallery",
  "egress",
  "models",
  "storage",
  "specimen",
  "cli",
  "statistics",
];
const test = "\\.(test|suite)\\.ts$|-suite\\.ts$|/testing/";
// The command line joins rooms as main.ts does: it draws specimens, seals tokens and decodes pictures for its own commands.
const cli =
  "^src/(cli|contract|statistics|specimen|tokens|imaging|gallery)/|^src/inference/(ledger|model-files)|^src/document/(models/(lint-model|read-models)|outside/pep-(csv|list))|^src/(main|measuring|open-storage|open-models|open-cohort|open-block-list|open-face-policy|open-document-(models|policy)|open-pep-list|open-recogniser|open-morphology|replaying|config|version)";
const value = { dependencyTypesNot: ["type-only"] };

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "contract-imports-nothing-of-ours",
      severity: "error",
      from: { path: "^src/contract/", pathNot: test },
      to: { path: "^src/", pathNot: "^src/contract/" },
    },
    {
      name: "statistics-imports-nothing-of-ours",
      severity: "error",
      from: { path: "^src/statistics/", pathNot: test },
      to: { path: "^src/", pathNot: "^src/statistics/" },
    },
    ...rooms.map((room) => ({
      name: `${room}-takes-other-rooms-as-types-only`,
      severity: "error",
      from: { path: `^src/${room}/`, pathNot: test },
      to: { path: "^src/", pathNot: room === "cli" ? cli : `^src/(${room}|contract|statistics)/`, ...value },
    })),
    {
      name: "http-imports-no-room",
      severity: "error",
      from: { path: "^src/http/", pathNot: test },
      to: { path: "^src/", pathNot: "^src/(http|contract|statistics)/" },
    },
    {
      name: "only-storage-opens-a-database",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/storage/|${test}` },
      to: { path: "node_modules/(better-sqlite3|pg|kysely|@aws-sdk)/" },
    },
    {
      name: "only-imaging-imports-sharp",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/imaging/|${test}` },
      to: { path: "node_modules/sharp/" },
    },
    {
      name: "only-inference-imports-onnxruntime",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/inference/|${test}` },
      to: { path: "node_modules/(onnxruntime-node|piscina)/" },
    },
    {
      name: "only-egress-imports-an-http-client",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/egress/|^src/cli/|${test}` },
      to: { path: "^(undici|http|https|node:http|node:https)$", ...value },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
    tsConfig: { fileName: "tsconfig.json" },
  },
};
