import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { Failure } from "#contract/failure";
import { listPersonasRoute, showPersonaImageRoute, showPersonaRoute } from "#contract/sandbox.routes";
import { personas } from "../catalogue/catalogue.ts";
import type { DrawImage } from "../image-cache.ts";
import { judgedBy, type Persona } from "../persona.ts";
import { readyCalls } from "../ready-calls.ts";

/** To a live key there is no such endpoint. */
const requireTest = ({ caller }: Pick<Call<unknown>, "caller">): void => {
  if (caller.environment !== "test") throw new Failure("path_unknown");
};

const describe = (persona: Persona) => ({
  name: persona.name,
  story: persona.story,
  judgedBy: judgedBy(persona),
  produces: persona.produces.map((produced) => ({ ...produced })),
});

const find = (name: string): Persona => {
  const persona = personas.find((one) => one.name === name);
  if (persona === undefined) throw new Failure("not_found");
  return persona;
};

const listPersonas = (): Endpoint =>
  implement(listPersonasRoute, async (call) => {
    requireTest(call);
    const listed = personas.map((persona) => ({
      ...describe(persona),
      images: Object.keys(persona.images),
      routes: persona.calls.map(({ route }) => route),
    }));
    const engines = listed.filter((one) => one.judgedBy === "engines").length;
    const timestamp = answeredAt(call).toISOString();
    return { timestamp, engines, steered: listed.length - engines, personas: listed };
  });

/** The images of a persona in Base64, one after the other: a second thread would only wait for the first. */
const drawAll = async (drawImage: DrawImage, { name, images }: Persona) => {
  const drawn = new Map<string, string>();
  for (const [image, { drawing }] of Object.entries(images)) {
    drawn.set(image, Buffer.from(await drawImage({ drawing, persona: name }, image)).toString("base64"));
  }
  return drawn;
};

const showPersona = (drawImage: DrawImage, newRun: () => string): Endpoint =>
  implement(showPersonaRoute, async (call) => {
    requireTest(call);
    const persona = find(call.request.persona);
    const ready = readyCalls(persona, await drawAll(drawImage, persona), newRun());
    return {
      timestamp: answeredAt(call).toISOString(),
      ...describe(persona),
      calls: ready.map(({ status = 200, taken = [], reasons, expected, body, ...rest }) => ({
        ...rest,
        status,
        body: { ...body },
        expected: { ...expected },
        taken: taken.map((one) => ({ ...one })),
        ...(reasons && { reasons: [...reasons] }),
      })),
    };
  });

const showPersonaImage = (drawImage: DrawImage): Endpoint =>
  implement(showPersonaImageRoute, async (call) => {
    requireTest(call);
    const { persona: name, image } = call.request;
    const persona = find(name);
    const found = Object.hasOwn(persona.images, image) ? persona.images[image] : undefined;
    if (found === undefined) throw new Failure("not_found");
    const bytes = await drawImage({ drawing: found.drawing, persona: name }, image);
    return {
      timestamp: answeredAt(call).toISOString(),
      mimeType: bytes[0] === 0xff ? ("image/jpeg" as const) : ("image/png" as const),
      image: Buffer.from(bytes).toString("base64"),
    };
  });

/** The catalogue of personas over the API. `newRun` makes the id of a run, which the bodies carry. */
export const personaCatalogueEndpoints = (
  drawImage: DrawImage,
  newRun: () => string,
): readonly Endpoint[] => [listPersonas(), showPersona(drawImage, newRun), showPersonaImage(drawImage)];
