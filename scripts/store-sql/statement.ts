/** Clauses that begin a line; "and" begins one within its clause. */
const clauses =
  /^(for no key update|for update(?: skip locked)?|for share|on conflict|inner join|left join|order by|group by|and|returning|values|update|from|where|limit|set|do update set)(?=[ (]|$)/;

/** The clause after the leading blank. */
const clauseOf = (rest: string): string | undefined =>
  rest.startsWith(" ") ? clauses.exec(rest.slice(1))?.[0] : undefined;

type Group = { readonly isQuery: boolean; readonly indent: number };

/** One statement in lines: one clause per line, conditions under their clause, inner queries indented. */
export const writeStatement = (sql: string): string => {
  const text = sql.replaceAll('"', "").replaceAll(/\$\d+/g, "?").replaceAll(/\s+/g, " ").trim();
  const groups: Group[] = [{ isQuery: true, indent: 0 }];
  let out = "";
  for (let at = 0; at < text.length; at += 1) {
    const rest = text.slice(at);
    const group = groups.at(-1) ?? { isQuery: true, indent: 0 };
    if (rest.startsWith("(")) {
      const isQuery = rest.startsWith("(select ");
      const indent = group.indent + (isQuery ? 2 : 0);
      groups.push({ isQuery, indent });
      out += isQuery ? `(\n${" ".repeat(indent)}` : "(";
    } else if (rest.startsWith(")")) {
      groups.pop();
      const outer = groups.at(-1)?.indent ?? 0;
      out += group.isQuery ? `\n${" ".repeat(outer)})` : ")";
    } else {
      const clause = group.isQuery && !out.endsWith("delete") ? clauseOf(rest) : undefined;
      const indent = group.indent + (clause === "and" ? 2 : 0);
      out += clause === undefined ? text[at] : `\n${" ".repeat(indent)}${clause}`;
      at += clause?.length ?? 0;
    }
  }
  return out;
};
