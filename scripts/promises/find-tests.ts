import ts from "typescript";

const blocks: readonly string[] = ["describe", "it", "test"];
const unrun: readonly string[] = ["skip", "todo", "fails"];

type Callee = { readonly root: string; readonly modifiers: readonly string[] };

/** The first name of `it.runIf(a).each(b)` with the names after it. */
const calleeOf = (expression: ts.Expression): Callee | undefined => {
  if (ts.isIdentifier(expression)) return { root: expression.text, modifiers: [] };
  if (ts.isCallExpression(expression)) return calleeOf(expression.expression);
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const callee = calleeOf(expression.expression);
  return callee && { ...callee, modifiers: [...callee.modifiers, expression.name.text] };
};

/** The title as it stands in the source, `${…}` included. */
const titleOf = ({ arguments: [first] }: ts.CallExpression): string | undefined => {
  if (first === undefined) return undefined;
  if (ts.isStringLiteralLike(first)) return first.text;
  return ts.isTemplateExpression(first) ? first.getText().slice(1, -1) : undefined;
};

/**
 * Full names of the tests in a source file, `describe > test`, as they stand in the source. Tests that are
 * skipped are left out.
 */
export const findTests = (file: string, text: string): readonly string[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const walk = (node: ts.Node, path: readonly string[]): void => {
    const callee = ts.isCallExpression(node) ? calleeOf(node.expression) : undefined;
    const title = ts.isCallExpression(node) ? titleOf(node) : undefined;
    if (callee === undefined || title === undefined || !blocks.includes(callee.root)) {
      ts.forEachChild(node, (child) => walk(child, path));
      return;
    }
    if (callee.modifiers.some((modifier) => unrun.includes(modifier))) return;
    const here = [...path, title];
    if (callee.root !== "describe") names.push(here.join(" > "));
    ts.forEachChild(node, (child) => walk(child, here));
  };
  walk(source, []);
  return names;
};
