import { argentinaCuil, argentinaDni, argentinaProcedure } from "./argentina.ts";
import { brazilCpf } from "./brazil.ts";
import { chileRun } from "./chile.ts";
import { colombiaNuip } from "./colombia.ts";
import { costaRicaCedula, costaRicaDimex } from "./costa-rica.ts";
import { ecuadorFingerprintCode, ecuadorNui } from "./ecuador.ts";
import { guatemalaCui } from "./guatemala.ts";
import { hondurasDni } from "./honduras.ts";
import { mexicoCurp } from "./mexico.ts";
import type { NumberReading, NumberRule } from "./number-rule.ts";
import { panamaCedula } from "./panama.ts";
import {
  argentinaPassport,
  chilePassport,
  costaRicaPassport,
  ecuadorPassport,
  guatemalaPassport,
  hondurasPassport,
  panamaPassport,
  peruPassport,
} from "./passports.ts";
import { peruDni, peruForeignerCard } from "./peru.ts";
import { spainDni, spainNie } from "./spain.ts";

/** Every rule by its name in the country models. */
export const numberRules = {
  "arg.dni": argentinaDni,
  "arg.cuil": argentinaCuil,
  "arg.tramite": argentinaProcedure,
  "arg.passport": argentinaPassport,
  "bra.cpf": brazilCpf,
  "chl.run": chileRun,
  "chl.passport": chilePassport,
  "col.nuip": colombiaNuip,
  "cri.cedula": costaRicaCedula,
  "cri.dimex": costaRicaDimex,
  "cri.passport": costaRicaPassport,
  "ecu.nui": ecuadorNui,
  "ecu.dactilar": ecuadorFingerprintCode,
  "ecu.passport": ecuadorPassport,
  "esp.dni": spainDni,
  "esp.nie": spainNie,
  "gtm.cui": guatemalaCui,
  "gtm.passport": guatemalaPassport,
  "hnd.dni": hondurasDni,
  "hnd.passport": hondurasPassport,
  "mex.curp": mexicoCurp,
  "pan.cedula": panamaCedula,
  "pan.passport": panamaPassport,
  "per.dni": peruDni,
  "per.ce": peruForeignerCard,
  "per.passport": peruPassport,
} as const satisfies Record<string, NumberRule>;

export type NumberName = keyof typeof numberRules;

/** Whether a word of a country model names a rule. */
export const isNumberName = (name: string): name is NumberName => Object.hasOwn(numberRules, name);

/** Reads a text by a named rule. Never throws; a text of another shape is `invalid`. */
export const readNumber = (name: NumberName, text: string, day: string): NumberReading =>
  numberRules[name].read(text, day);
