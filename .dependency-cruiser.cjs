// Which module may import which (ARCHITECTURE.md, "Modules"). Tests, and what test/support/ holds for them, may cross modules.
const modules = require("./src/modules.json");

const test = "\\.test\\.ts$|^test/";
const value = { dependencyTypesNot: ["type-only"] };

const forbid = (name, from, to) => ({ name, severity: "error", from: { pathNot: test, ...from }, to });

/** A module may import values and types of every module before it in the list, and of no other: so no two import each other. */
const upward = modules
  .slice(0, -1)
  .map((module, at) =>
    forbid(
      `${module}-imports-no-module-above-it`,
      { path: `^src/${module}/` },
      { path: `^src/(${modules.slice(at + 1).join("|")})/` },
    ),
  );

/** The parts of one module in their order, types included: each may import those before it. */
const parts = (module, ordered, base = "") =>
  ordered.map((part, at) =>
    forbid(
      `${module}/${part}-imports-no-part-above-it`,
      { path: `^src/${module}/${part}/` },
      {
        path: `^src/${module}/`,
        pathNot: `^src/${module}/((${ordered.slice(0, at + 1).join("|")})/${base})`,
      },
    ),
  );

/** Only these files may import the package. */
const owner = (name, packages, path) =>
  forbid(
    `only-${name}-imports-${packages.replaceAll(/\W+/g, "-")}`,
    { path: "^src/", pathNot: `${path}|${test}` },
    {
      path: `node_modules/(${packages})/`,
    },
  );

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    forbid(
      "every-module-is-in-the-list",
      { path: "^src/" },
      { path: "^src/", pathNot: `^src/(${modules.join("|")})/|^src/modules\\.json$` },
    ),
    ...upward,
    // One topic of the command line knows no other: what several need stands in cli/kit, which knows no topic.
    forbid(
      "cli-topics-are-leaves",
      { path: "^src/cli/([^/]+)/", pathNot: `^src/cli/kit/|${test}` },
      { path: "^src/cli/", pathNot: "^src/cli/($1|kit)/|^src/cli/command\\.ts$" },
    ),
    forbid(
      "cli-kit-knows-no-topic",
      { path: "^src/cli/kit/" },
      { path: "^src/cli/", pathNot: "^src/cli/kit/|^src/cli/(command|start-flags)\\.ts$" },
    ),
    forbid(
      "product-imports-no-test",
      { path: "^(src|widget)/" },
      { path: "^(test|lab|scripts)/|\\.test\\.ts$" },
    ),
    ...parts("judging/document", ["values", "reading"]),
    forbid(
      "document-decision-does-not-schedule",
      { path: "^src/judging/document/decision/" },
      { path: "^src/judging/document/(validation|http)/" },
    ),
    forbid(
      "document-validation-does-not-serve",
      { path: "^src/judging/document/validation/" },
      { path: "^src/judging/document/http/" },
    ),
    ...parts("features/signing", ["questions", "pdf", "pades", "verify"]),
    // A command writes its transaction record, evidence and objects in one commit. Its session comes with every command.
    forbid(
      "a-module-store-opens-no-database",
      { path: "^src/.*/store/" },
      { path: "node_modules/(better-sqlite3|pg|kysely|@aws-sdk)/", ...value },
    ),
    // Modules and commands of the operator name the commands that they use.
    forbid(
      "only-the-composition-names-the-whole-store",
      // The measurement of the store runs its commands in transactions of many.
      { path: "^src/", pathNot: `^src/app/|^src/cli/bench/store|${test}` },
      { path: "^src/app/store(-commands)?\\.ts$" },
    ),
    forbid(
      "only-the-measuring-commands-load-the-evaluation",
      { path: "^src/app/", pathNot: `^src/app/(evaluation|recogniser-evaluation)\\.ts$|${test}` },
      { path: "^src/evaluation/" },
    ),
    // The page's code runs in browsers: of ours it imports texts, and the container that it writes.
    forbid(
      "widget-imports-what-a-browser-can-run",
      { path: "^widget/" },
      {
        path: "^src/",
        pathNot:
          "^src/contract/(guidance|capture|capture-texts|followed-url|capture-problem-texts|verification-code)\\.ts$|^src/judging/face/challenge/(container|container-signature|write-container)\\.ts$",
      },
    ),
    forbid("widget-imports-no-node", { path: "^widget/" }, { dependencyTypes: ["core"] }),
    forbid("service-imports-no-widget", { path: "^src/" }, { path: "^widget/" }),
    owner(
      "storage",
      "better-sqlite3|pg|kysely|@aws-sdk",
      "^src/machine/storage/|^src/trust/key-ring/|^src/record/rights/|/store/",
    ),
    owner("imaging", "sharp", "^src/machine/imaging/"),
    owner("networks", "onnxruntime-node", "^src/machine/networks/"),
    owner("threads", "piscina", "^src/machine/threads/"),
    owner("tabular", "csv-parse", "^src/contract/tabular/"),
    owner("signers", "pkcs11js", "^src/trust/signers/"),
    forbid(
      "only-egress-imports-an-http-client",
      // broken-request.ts takes the table of status texts alone; the simulators are servers.
      {
        path: "^src/",
        pathNot: `^src/machine/egress/|^src/cli/|^src/sandbox/|^src/machine/http/broken-request\\.ts$|${test}`,
      },
      { path: "^(undici|http|https|node:http|node:https)$", ...value },
    ),
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
