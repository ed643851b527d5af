import { countJudged, sentValues } from "./coverage.ts";
import { judgedBy, type Persona } from "./persona.ts";

const start = "<!-- generated: the personas -->";
const end = "<!-- end of the personas -->";

const producedOf = ({ produces }: Persona): string => {
  const byTable = new Map<string, (string | number)[]>();
  for (const { table, value } of produces) byTable.set(table, [...(byTable.get(table) ?? []), value]);
  return [...byTable].map(([table, values]) => `${table} ${values.join(", ")}`).join("; ");
};

const rowOf = (persona: Persona): string => {
  const calls = persona.calls.map(({ route }) => `\`${route}\``).join(", ");
  const steered = persona.steeredBy === undefined ? "steered" : `steered: ${persona.steeredBy}`;
  const who = judgedBy(persona) === "engines" ? "engines" : steered;
  return `| \`${persona.name}\` | ${persona.story} | ${producedOf(persona)} | ${calls} | ${who} |`;
};

/** The table of every persona, in Markdown. */
export const writePersonasTable = (personas: readonly Persona[]): string => {
  const { engines, steered } = countJudged(personas);
  return [
    `${personas.length} personas produce ${sentValues.length} values of code tables. The engines judge ${engines} of them; ${steered} are steered.`,
    "",
    "| Persona | What it shows | Produces | Calls | Judged by |",
    "|---|---|---|---|---|",
    ...personas.map(rowOf),
  ].join("\n");
};

/** The guide with the table between its marks. Throws Error for a guide without them. */
export const withPersonasTable = (guide: string, table: string): string => {
  const [from, to] = [guide.indexOf(start), guide.indexOf(end)];
  if (from === -1 || to < from) throw new Error("docs/guides/personas.md has no marks for the table");
  return `${guide.slice(0, from)}${start}\n${table}\n${guide.slice(to)}`;
};
