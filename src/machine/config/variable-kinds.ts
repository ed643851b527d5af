import { Type } from "typebox";

export const number = (minimum: number, maximum: number, standard: number, description: string) =>
  Type.Integer({ minimum, maximum, default: standard, description });
export const secret = (description: string, shape = "a text") =>
  Type.Optional(Type.String({ minLength: 1, secret: true, shape, description }));
export const text = (description: string, shape = "a text") =>
  Type.Optional(Type.String({ minLength: 1, shape, description }));
