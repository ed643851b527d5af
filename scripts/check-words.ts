/**
 * Refuses identifiers with words that the glossary replaced (docs/glossary.md, "Words that this project does
 * not use"), imports of another form than CODE_STYLE.md names, `{@link}` names that no source declares, links
 * of documents that reach no file or heading, guides that are named but not there, and tables of measurements
 * without the figure of an unseen set. Prints each place; ends with 1 where there is one.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { linkFaults, namedFileFaults } from "./documents/links.ts";
import { unseenFaults } from "./documents/unseen-figures.ts";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

/** Words in lower case, each with the term that stands for it. */
const replaced: ReadonlyMap<string, string> = new Map([
  ["alike", "match"],
  ["believed", "trust level"],
  ["bunch", "key set"],
  ["bystander", "other face"],
  ["commonness", "cohort score"],
  ["crowd", "multiple faces"],
  ["desk", "queue, administration"],
  ["elsewhere", "external provider"],
  ["hindrance", "unmet precondition"],
  ["hopeless", "permanent"],
  ["house", "harness"],
  ["lap", "step time"],
  ["laps", "step times"],
  ["leftovers", "stale files"],
  ["misfit", "mismatch"],
  ["newcomer", "enrolment candidate"],
  ["newcomers", "enrolment candidates"],
  ["nobody", "none"],
  ["oddity", "defect"],
  ["patiently", "retry while busy"],
  ["picture", "image"],
  ["pictures", "images"],
  ["room", "module, scene, margin"],
  ["shelf", "model store"],
  ["sighting", "field reading, velocity event"],
  ["sightings", "field readings, velocity events"],
  ["stranger", "impostor"],
  ["strangers", "impostors"],
  ["telling", "reporting"],
  ["told", "reported"],
  ["turned", "rotated"],
  ["turns", "rotations"],
  ["visit", "request context, authentication attempt"],
  ["visits", "request contexts, authentication attempts"],
  ["vouched", "trust level"],
  ["whereabouts", "region of interest"],
  ["whoever", "a noun"],
  ["world", "environment"],
  ["worlds", "environments"],
  ["zone", "MRZ"],
  ["zones", "MRZs"],
]);

/** Names that stay, each for its reason. */
const kept: ReadonlySet<string> = new Set([
  // Keys of stored measurements and evidence, of policy files and of the container of an OCR token.
  "alike",
  "room",
  "crowdShareMin",
  "referenceCrowdShareMin",
  "hasZone",
  "picture",
  "pictures",
  "turns",
  "turnKnownBy",
  "zone",
  // Variables of the environment that operators have set.
  "IDEM_PICTURE_DAYS",
  "IDEM_TEMPLATE_WITHOUT_PICTURE",
  // The operation's name on the wire.
  "reviewPicture",
  // A code of a failure on the wire.
  "capture_open_elsewhere",
  // Names of zxing-wasm.
  "addQuietZones",
  // An option of Intl.
  "timeZone",
  // The visitor of a syntax tree or graph.
  "visitAttribute",
  "visitFunction",
  "visitGraph",
  "visitNode",
  "visitSparseTensor",
  "visitTensor",
]);

/** Keys may have a kept name that a variable must not have. */
const isKey = ({ parent }: ts.Identifier): boolean =>
  ts.isPropertyAssignment(parent) ||
  ts.isPropertySignature(parent) ||
  ts.isShorthandPropertyAssignment(parent) ||
  ts.isPropertyAccessExpression(parent) ||
  (ts.isBindingElement(parent) && parent.propertyName !== undefined);

const wordsOf = (name: string): readonly string[] =>
  name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/).map((word) => word.toLowerCase());

const findReplaced = (name: ts.Identifier): string | undefined => {
  if (kept.has(name.text) && (isKey(name) || /[A-Z_]/.test(name.text))) return undefined;
  return wordsOf(name.text).find((word) => replaced.has(word));
};

const modules: readonly string[] = JSON.parse(readFileSync("src/modules.json", "utf8"));

/** The module of a file under src, as src/modules.json names it. */
const moduleOf = (file: string): string | undefined =>
  modules.find((module) => file.startsWith(`src/${module}/`));

const importFault = (file: string, specifier: string): string | undefined => {
  const own = moduleOf(file);
  if (own === undefined) return undefined;
  if (specifier.startsWith(`#${own}/`)) return `imports ${specifier}: within a module by relative path`;
  const target = specifier.startsWith(".") ? moduleOf(join(dirname(file), specifier)) : own;
  return target === undefined || target === own ? undefined : `imports ${specifier}: write #module/file`;
};

/** Names that a source declares, at any depth. */
const declaredIn = (source: ts.SourceFile): readonly string[] => {
  const names: string[] = [];
  const walk = (node: ts.Node): void => {
    const { name } = ts.isDeclarationStatement(node) || ts.isVariableDeclaration(node) ? node : {};
    if (name !== undefined && ts.isIdentifier(name)) names.push(name.text);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return names;
};

/** Links in comments whose name no source declares. */
const linkFaultsOf = (source: ts.SourceFile, declared: ReadonlySet<string>): readonly string[] =>
  [...source.text.matchAll(/\{@link ([A-Za-z][\w$]*)[^}]*\}/g)]
    .filter(([, name = ""]) => !declared.has(name))
    .map(({ 1: name, index }) => {
      const { line } = source.getLineAndCharacterOfPosition(index);
      return `${source.fileName}:${line + 1} {@link ${name}}: no source declares this name`;
    });

const faultsOf = (source: ts.SourceFile): readonly string[] => {
  const { fileName: file } = source;
  const faults: string[] = [];
  const add = (node: ts.Node, text: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    faults.push(`${file}:${line + 1} ${text}`);
  };
  const walk = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const word = findReplaced(node);
      if (word !== undefined) add(node, `${node.text}: not "${word}" but "${replaced.get(word)}"`);
    }
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const fault = importFault(file, node.moduleSpecifier.text);
      if (fault !== undefined) add(node, fault);
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return faults;
};

/** Files of the project, those that no commit holds yet too. */
const listFiles = (...patterns: readonly string[]): readonly string[] =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...patterns], { encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((file) => existsSync(file));

/** The text of a file, empty for a folder; undefined where there is neither. */
const readIfThere = (path: string): string | undefined => {
  if (!existsSync(path)) return undefined;
  return statSync(path).isDirectory() ? "" : readFileSync(path, "utf8");
};

/** Faults of the documents, and of files that name guides. A contract of a release is frozen. */
const documentFaults = (): readonly string[] => [
  ...listFiles("*.md").flatMap((file) => linkFaults(file, readFileSync(file, "utf8"), readIfThere)),
  ...listFiles("docs/measurements/*.md").flatMap((file) => unseenFaults(file, readFileSync(file, "utf8"))),
  ...listFiles(
    "*.md",
    "*.ts",
    "*.yaml",
    "*.json",
    "*.service",
    "Dockerfile",
    ":!api/released",
    ":!scripts/documents",
  ).flatMap((file) => namedFileFaults(file, readFileSync(file, "utf8"), existsSync)),
];

const sources = listFiles("*.ts").map((file) =>
  ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true),
);
const declared = new Set(sources.flatMap(declaredIn));
const faults = [
  ...new Set(sources.flatMap((source) => [...faultsOf(source), ...linkFaultsOf(source, declared)])),
  ...documentFaults(),
];
for (const fault of faults) console.log(fault);
if (faults.length > 0) {
  console.log(`${faults.length} names, imports, links or guides. docs/glossary.md has the terms.`);
  process.exitCode = 1;
}
