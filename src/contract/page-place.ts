import { Failure } from "./failure.ts";
import { validationCode } from "./validation-code.ts";

/** The place of a row in a list that is ordered by time: the last row of the page before. */
export type PagePlace = { readonly at: Date; readonly id: string };

/** The text of `next`, which the caller sends back as `after`. */
export const writePagePlace = ({ at, id }: PagePlace): string => `${at.getTime()}.${id}`;

const uuidForm = /^[0-9a-f-]{36}$/;

/**
 * The place that `after` names, with an id of the given form; undefined without it. Fails with
 * request_invalid for another text.
 */
export const readPagePlace = (after: string | undefined, idForm = uuidForm): PagePlace | undefined => {
  if (after === undefined) return undefined;
  const [, time, id] = /^(\d{1,15})\.(.+)$/su.exec(after) ?? [];
  if (time !== undefined && id !== undefined && idForm.test(id)) return { at: new Date(Number(time)), id };
  throw new Failure("request_invalid", {
    errors: ["after: must be `next` of a page"],
    code: validationCode.parameterInvalid.code,
  });
};
