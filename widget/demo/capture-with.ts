import { textAt } from "./answer.ts";
import { CallError, type Client } from "./client.ts";
import type { Captured } from "./onboard.ts";
import { showSection } from "./show-parts.ts";
import { type Declared, openSession, takeSession } from "./sources.ts";

type Page = {
  readonly service: string;
  readonly language: string;
  readonly show: (section: HTMLElement) => void;
};

/** The detail of the event that ends the flow. */
const untilEnd = (flow: HTMLElement): Promise<unknown> =>
  new Promise((resolve) => {
    for (const name of ["idem-finished", "idem-cancel"]) {
      flow.addEventListener(name, (event) =>
        resolve(event instanceof CustomEvent ? event.detail : undefined),
      );
    }
  });

/** Captures with the elements: this page opens the session, which an integrator's server does elsewhere. */
export const captureWith = async (
  client: Client,
  declared: Declared,
  { service, language, show }: Page,
): Promise<Captured> => {
  const { sessionId, token } = await openSession(client, declared, language);
  const flow = document.createElement("idem-flow");
  const attributes = { service, session: token, language, upload: "always" };
  for (const [name, value] of Object.entries(attributes)) flow.setAttribute(name, value);
  const section = showSection("captureHeading", [flow]);
  const ended = untilEnd(flow);
  show(section);
  const detail = await ended;
  section.remove();
  if (textAt(detail, "state") !== "completed") throw new CallError(0, "capture_ended", "");
  return await takeSession(client, sessionId, declared);
};
