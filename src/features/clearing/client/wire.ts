/** The interface of the clearing entity: Spanish names stand here and nowhere else. */
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { EntityAccess, EntityStatement, TicketRequest } from "./entity.ts";

/** The call for a ticket: with Basic authorization. */
export const ticketPath = "/tvi/solicitudTokenWS";
/** The call for a token: without authorization. */
export const tokenPath = "/tvi/obtenerTokenWS";

const successCode = 200;
/** Longest ticket or token that is taken. A longer one is no answer of the entity. */
const valueLengthMax = 1024;
const textLengthMax = 500;
const errorsMax = 20;

const textField = Type.Union([Type.String(), Type.Null()]);

const answer = makeCheck(
  Type.Object({
    respuesta: Type.Object({
      codigo: Type.Integer({ minimum: -999_999, maximum: 999_999 }),
      mensaje: Type.Optional(textField),
      ticket_tvi: Type.Optional(textField),
      token: Type.Optional(textField),
      fecha: Type.Optional(textField),
      errores: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
    }),
  }),
);

/** Body of the call for a ticket. */
export const writeTicketRequest = (
  { affiliate, verification, requiresSecondVerification }: TicketRequest,
  { institution }: Pick<EntityAccess, "institution">,
) => ({
  afiliado: {
    nombre: affiliate.firstName,
    apellido_paterno: affiliate.paternalSurname,
    apellido_materno: affiliate.maternalSurname,
    rut_numero: affiliate.rutNumber,
    dv: affiliate.rutCheck,
    verificacion: {
      identificacion_proveedor: verification.provider,
      fecha_verificacion: verification.verifiedAt.toISOString(),
      url_verificacion: verification.url,
      url_usuario: verification.credentials?.user ?? "",
      url_clave: verification.credentials?.password ?? "",
      tipo_verificacion: verification.type,
      codigo_verificacion: verification.code,
    },
  },
  codigo_institucion: institution,
  requiere_segunda_verificacion: requiresSecondVerification,
});

/** Body of the call for a token. */
export const writeTokenRequest = (ticket: string, { institution }: Pick<EntityAccess, "institution">) => ({
  codigo_institucion: institution,
  ticket_tvi: ticket,
});

/**
 * An answer of the entity: whether it succeeded, the value where it holds a usable one, and its statement.
 */
export type ReadAnswer = {
  readonly isSuccess: boolean;
  readonly value?: string;
  readonly statement: EntityStatement & { readonly code: number };
};

/** Reads the parsed body of an answer; undefined for a body that the entity does not send. */
export const readAnswer = (body: unknown, member: "ticket_tvi" | "token"): ReadAnswer | undefined => {
  if (!answer.Check(body)) return undefined;
  const { codigo, mensaje, fecha, errores } = body.respuesta;
  const value = body.respuesta[member];
  return {
    isSuccess: codigo === successCode,
    ...(isUsable(value) && { value }),
    statement: {
      code: codigo,
      ...(mensaje != null && { message: shortened(mensaje) }),
      ...(fecha != null && { date: shortened(fecha) }),
      errors: (errores ?? []).slice(0, errorsMax).map(describe),
    },
  };
};

/** One line of printable text: it is stored, shown and sent back. */
const isUsable = (value: string | null | undefined): value is string =>
  value != null && value.trim() !== "" && value.length <= valueLengthMax && !/\p{Cc}/u.test(value);

/** The interface shows no element of `errores`: a text stays, anything else becomes JSON. */
const describe = (error: unknown): string =>
  shortened(typeof error === "string" ? error : JSON.stringify(error));

const shortened = (text: string): string => text.replaceAll(/\p{Cc}/gu, " ").slice(0, textLengthMax);
