import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";

/** What the entity keeps of a request for a ticket. */
export type TicketAsked = {
  readonly institution: string;
  /** Digits and check character of the affiliate's RUT. */
  readonly rut: string;
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly code: string;
};

const named = Type.String({ minLength: 1, maxLength: 100 });

const ticketRequest = makeCheck(
  Type.Object(
    {
      afiliado: Type.Object(
        {
          nombre: named,
          apellido_paterno: named,
          apellido_materno: named,
          rut_numero: Type.String({ pattern: "^[1-9]\\d{0,7}$" }),
          dv: Type.String({ pattern: "^[\\dK]$" }),
          verificacion: Type.Object(
            {
              identificacion_proveedor: named,
              fecha_verificacion: Type.String({
                pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$",
              }),
              url_verificacion: Type.String({ minLength: 1, maxLength: 2000 }),
              url_usuario: Type.String({ maxLength: 200 }),
              url_clave: Type.String({ maxLength: 200 }),
              tipo_verificacion: named,
              codigo_verificacion: Type.String({ pattern: "^[A-Za-z0-9_-]{22}$" }),
            },
            { additionalProperties: false },
          ),
        },
        { additionalProperties: false },
      ),
      codigo_institucion: named,
      requiere_segunda_verificacion: Type.Boolean(),
    },
    { additionalProperties: false },
  ),
);

const tokenRequest = makeCheck(
  Type.Object({ codigo_institucion: named, ticket_tvi: named }, { additionalProperties: false }),
);

/** Reads a request for a ticket, or names the fields that are wrong. */
export const readTicketRequest = (
  body: unknown,
): { readonly asked?: TicketAsked; readonly faults: readonly string[] } => {
  if (!ticketRequest.Check(body)) {
    const paths = ticketRequest
      .Errors(body)
      .map(({ instancePath }) => instancePath.slice(1).replaceAll("/", "."));
    return { faults: [...new Set(paths)] };
  }
  const { afiliado, codigo_institucion: institution } = body;
  const { verificacion, rut_numero: digits, dv } = afiliado;
  if (checkCharacterOf(digits) !== dv) return { faults: ["afiliado.dv"] };
  return {
    faults: [],
    asked: {
      institution,
      rut: digits + dv,
      url: verificacion.url_verificacion,
      user: verificacion.url_usuario,
      password: verificacion.url_clave,
      code: verificacion.codigo_verificacion,
    },
  };
};

export const readTokenRequest = (
  body: unknown,
): { readonly institution: string; readonly ticket: string } | undefined =>
  tokenRequest.Check(body) ? { institution: body.codigo_institucion, ticket: body.ticket_tvi } : undefined;

/** The check character of a RUT, computed apart from the rules of documents: a shared mistake cannot hide. */
const checkCharacterOf = (digits: string): string => {
  const weights = [2, 3, 4, 5, 6, 7, 2, 3];
  const sum = digits
    .split("")
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (weights[at] ?? 0), 0);
  return "0K987654321".charAt(sum % 11);
};
