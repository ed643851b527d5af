import { type EventName, eventTopic, eventType } from "#contract/event";
import { eventData, eventMoment } from "#contract/event-data";
import { eventNames } from "#contract/event-envelope";
import { asyncApiPath, exampleEvent, verifyModulePath } from "./asyncapi.ts";
import { escapeHtml, policyOf, styleSource, writePage } from "./pages/shell.ts";

/** Path of the page of events. */
export const eventsPath = "/docs/events";

type Schema = { readonly [keyword: string]: unknown };

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const style = `
body{margin:0;font:16px/1.55 system-ui,sans-serif;background:var(--surface);color:var(--text)}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;margin:0 0 .5rem}h2{font-size:1.2rem;margin:2.5rem 0 .25rem;overflow-wrap:anywhere}
a{color:var(--accent)}
code,pre{font:.875rem/1.5 ui-monospace,monospace}code{overflow-wrap:anywhere}
pre{background:var(--ground);padding:.75rem;border-radius:6px;overflow:auto;max-height:26rem}
.facts,.about{color:var(--quiet)}.facts{margin:.25rem 0 .75rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem .4rem 0;border-top:1px solid var(--rule)}
nav ul{columns:2;padding-left:1.2rem}
@media(min-width:40rem){table{table-layout:fixed}th:nth-child(1){width:27%}th:nth-child(2){width:33%}}
@media(max-width:40rem){table,tbody,tr,td{display:block}thead{display:none}tr{border-top:1px solid var(--rule);padding:.4rem 0}td{border:0;padding:0}nav ul{columns:1}}
`;

/** The page holds no script, and one style, which its hash admits. */
export const eventsPageSecurity = policyOf({ style: styleSource(style), img: "data:" });

/** Text with code between back-quotes. */
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/gu, "<code>$1</code>");

type Field = { readonly path: string; readonly isRequired: boolean; readonly schema: Schema };

/** The members of a schema at every depth, lists included, in the order of the contract. */
const fieldsOf = (schema: Schema, prefix = ""): readonly Field[] => {
  const { properties, required, items } = schema;
  if (isSchema(items)) return fieldsOf(items, `${prefix.slice(0, -1)}[].`);
  if (!isSchema(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isSchema(property)) return [];
    const isRequired = Array.isArray(required) && required.includes(name);
    return [
      { path: `${prefix}${name}`, isRequired, schema: property },
      ...fieldsOf(property, `${prefix}${name}.`),
    ];
  });
};

const ruleOf = (schema: Schema): string => {
  const { type, enum: values, minLength, maxLength, minimum, maximum } = schema;
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (schema["const"] !== undefined) return `\`${JSON.stringify(schema["const"])}\``;
  const length =
    maxLength === undefined ? "" : `, ${Number(minLength ?? 0)} to ${Number(maxLength)} characters`;
  const span = maximum === undefined ? "" : `, ${Number(minimum)} to ${Number(maximum)}`;
  const kind = Array.isArray(schema["anyOf"])
    ? schema["anyOf"].map((one: unknown) => (isSchema(one) ? ruleOf(one) : "")).join(" or ")
    : typeof type === "string"
      ? type
      : "any";
  return `${kind}${length}${span}`;
};

const rowOf = ({ path, isRequired, schema }: Field): string => {
  const about = typeof schema["description"] === "string" ? schema["description"] : "";
  const need = isRequired ? "" : " (optional)";
  return `<tr><td><code>${escapeHtml(path)}</code>${need}</td><td>${prose(ruleOf(schema))}</td><td class="about">${prose(about)}</td></tr>`;
};

const sectionOf = (name: EventName, vendor: string): string => {
  const rows = fieldsOf({ ...eventData[name] })
    .map(rowOf)
    .join("\n");
  return `<section id="${name}">
<h2>${name}</h2>
<p>${prose(eventMoment[name])}</p>
<p class="facts">Topic <code>${eventTopic[name]}</code><br>Type <code>${escapeHtml(eventType(vendor, name))}</code></p>
<table><thead><tr><th>Member of <code>data</code></th><th>Values</th><th>Meaning</th></tr></thead>
<tbody>
${rows}
</tbody></table>
<details><summary>Example</summary>
<pre tabindex="0">${escapeHtml(JSON.stringify(exampleEvent(name, vendor), null, 2))}</pre></details>
</section>`;
};

const introduction = [
  "Each event is an HTTPS POST to the destinations of its tenant that have subscribed to its topic, or to `workflows/*/v1` or `*`. " +
    "It is a CloudEvent 1.0 in structured JSON (`application/cloudevents+json`). Answer 2xx; anything else is tried again, with the same `id`.",
  "The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are a Standard Webhooks 1.0 signature over the raw body. The " +
    "event has a `signature` of its own: parse the body, delete `signature`, write it again as JSON without spaces, and compare the " +
    "Base64 of its HMAC-SHA256. The key is the text of the destination's secret.",
  "`sequence` has the order within an operation, from `0000000001` without gaps. Links to images work for a limited time.",
];

/** The page of all events in HTML, without a script: a pure function of the contract. */
export const writeEventsPage = (vendor: string): string =>
  writePage({
    title: "Idem events",
    style,
    body: `<main>
<h1>Events</h1>
${introduction.map((text) => `<p>${prose(text)}</p>`).join("\n")}
<p>For machines: <a href="${asyncApiPath}">AsyncAPI 3</a>. For receivers: <a href="${verifyModulePath}">the verification function</a>. The calls of the API: <a href="/docs">reference</a>.</p>
<nav aria-label="Events"><ul>
${eventNames.map((name) => `<li><a href="#${name}">${name}</a></li>`).join("\n")}
</ul></nav>
${eventNames.map((name) => sectionOf(name, vendor)).join("\n")}
</main>`,
  });
