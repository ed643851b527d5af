import type { CertificateContent } from "#contract/clearing-certificate";
import type { AssuranceLevel } from "#contract/liveness";
import type { PortraitEvidence } from "#contract/portrait-evidence";
import { chileRun } from "#judging/document/values/numbers/chile";
import type { Certificate, Row, Section, Sheet } from "./certificate.ts";

/** The day and the hour of Chile, whose clerks read the certificate. */
const chileTime = new Intl.DateTimeFormat("es-CL", {
  timeZone: "America/Santiago",
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

/** `21-11-2026 06:30:00 hora de Chile (09:30:00 UTC)`: day, month, year, as Chile writes them. */
export const spanishTime = (iso: string): string => {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const parts = new Map(chileTime.formatToParts(at).map(({ type, value }) => [type, value]));
  const [day, month, year, hour, minute, second] = (
    ["day", "month", "year", "hour", "minute", "second"] as const
  ).map((name) => parts.get(name));
  return `${day}-${month}-${year} ${hour}:${minute}:${second} hora de Chile (${at.toISOString().slice(11, 19)} UTC)`;
};

/** `12-08-1974` from a date of the record. */
const spanishDate = (date: string): string => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  return year === undefined ? date : `${day}-${month}-${year}`;
};

/** `99,21 %`. Rounds down: a certificate must not show a match as better than it was. */
export const spanishShare = (share: number): string =>
  `${(Math.floor(share * 10_000) / 100).toFixed(2).replace(".", ",")} %`;

/** `7.255.541`. */
export const spanishNumber = (number: number): string => String(number).replaceAll(/\B(?=(\d{3})+$)/g, ".");

/** `de 1 en 700, contado sobre 7.255.541 pares`. */
const countOf = (rate: number, pairs: number): string =>
  `de 1 en ${spanishNumber(Math.round(1 / rate))}, contado sobre ${spanishNumber(pairs)} pares`;

/** The rates as they were counted, each with its number of pairs. */
const countedOf = ({
  countedFalseMatchRate: rate,
  countedPairs: pairs,
  countedFalseMatchRateWorstGroup: groupRate,
  countedPairsWorstGroup: groupPairs,
}: NonNullable<CertificateContent["documentComparison"]>): string =>
  rate === null || pairs === null || groupRate === null || groupPairs === null
    ? "Sin recuento para esta similitud"
    : `Menos ${countOf(rate, pairs)}; en el grupo con más coincidencias menos ${countOf(groupRate, groupPairs)}`;

const unread = "No se leyó en el documento";

const documentTypes: Readonly<Record<string, string>> = {
  PASSPORT: "Pasaporte",
  DRIVING_LICENSE: "Licencia de conducir",
  ID_CARD: "Cédula de identidad",
  VISA: "Visa",
};

/** A certificate of test keys must not pass for one about a person. */
const headOf = ({ environment, verifiedAt }: CertificateContent): Pick<Sheet, "title" | "statement"> =>
  environment === "live"
    ? {
        title: "Certificado de verificación de identidad",
        statement: `Identidad verificada el ${spanishTime(verifiedAt)}`,
      }
    : {
        title: "Certificado de prueba, sin valor",
        statement: `Llamada de prueba del ${spanishTime(verifiedAt)}. No acredita la identidad de nadie`,
      };

/** The certificate in words and numbers for a reader. Pure. */
export const sheetOf = ({ content, release }: Certificate): Sheet => ({
  ...headOf(content),
  sections: [personOf(content), checksOf(content), referencesOf(content)],
  linkNote:
    "Enlace de verificación. Se abre con la clave de la entidad de compensación y es válido hasta el " +
    `${spanishTime(content.tokenExpiresAt)}. ${openingsOf(content.openingsLeft)}`,
  annex: proofOf(content),
  footer: `Emitido por ${content.provider} el ${spanishTime(content.issuedAt)} con Idem ${release}`,
});

/** Other openings at the same time may have taken some of them. */
const openingsOf = (left: number): string =>
  left === 0
    ? "Esta fue su última apertura."
    : left === 1
      ? "Queda a lo más 1 apertura."
      : `Quedan a lo más ${spanishNumber(left)} aperturas.`;

/** A national number as its country prints it; a number of another form as it was read. */
const nationalNumber = (number: string, country: string | null): Row => {
  if (country !== chileRun.country) return ["Número de identidad", number];
  const { validity, printed } = chileRun.read(number);
  return ["RUN", validity === "valid" ? printed : number];
};

const personOf = ({ person, document }: CertificateContent): Section => {
  const title = "Persona verificada";
  if (person === null) {
    const note = "El nombre y los datos del documento ya no se conservan: terminó su plazo de conservación.";
    return { title, note, rows: [] };
  }
  const { firstName, lastName, idNumber, dateOfBirth } = person;
  const rows: Row[] = [
    ["Nombres", firstName ?? unread],
    ["Apellidos", lastName ?? unread],
    idNumber === null ? ["Número de identidad", unread] : nationalNumber(idNumber, document?.country ?? null),
    ["Fecha de nacimiento", dateOfBirth === null ? unread : spanishDate(dateOfBirth)],
  ];
  if (document !== null) {
    const { type, country, number } = document;
    rows.push(
      ["Documento", `${documentTypes[type] ?? type}${country === null ? "" : `, ${country}`}`],
      ["Número del documento", number ?? unread],
    );
  }
  return { title, rows };
};

const ways: Readonly<Record<CertificateContent["samePersonBy"], string>> = {
  image: "El rostro se comparó con la imagen de este mismo documento",
  faces:
    "El retrato del documento se comparó con el rostro capturado. La similitud y la coincidencia falsa de arriba " +
    "son de la llamada de identidad, cuya imagen puede ser otra",
};

/** The comparison of portrait and face, where it joins person and document. */
const documentRowsOf = ({ samePersonBy, documentComparison }: CertificateContent): readonly Row[] =>
  samePersonBy === "image"
    ? []
    : [
        [
          "Coincidencia falsa del retrato",
          documentComparison === null ? "No consta" : countedOf(documentComparison),
        ],
      ];

/** What the liveness rests on. A video that is injected in place of the camera may pass each of them. */
const livenessLevels: Readonly<Record<AssuranceLevel, string>> = {
  unsealed: "Una imagen sin sello: nada demuestra que la tomara una página de captura",
  advisory: "Rasgos físicos de una sola imagen, sin desafío",
  model: "Rasgos físicos y una red neuronal sobre una sola imagen, sin desafío",
  "multi-frame": "Varias imágenes en las que la persona se movió, sin desafío",
  "active-turn": "La cabeza giró como lo pidió un desafío nuevo",
};

/** What shows that the portrait belongs to its document. */
const evidences: Readonly<Record<PortraitEvidence, string>> = {
  unproven: "Nada demuestra que el retrato pertenezca al documento",
  "print-consistent":
    "La impresión del retrato concuerda con la tarjeta. Una buena falsificación también concuerda",
  reference: "Es el rostro del usuario registrado",
  ghost:
    "La segunda imagen del documento muestra el mismo rostro. Una buena falsificación cambia las dos imágenes",
  registry: "El registro civil tiene el mismo rostro",
  chip: "El chip del documento, firmado por su emisor, tiene el mismo rostro",
};

/** Neither the record of the token nor that of the validation states it. */
const noEvidence = "No consta qué demuestra que el retrato pertenezca al documento";

const checksOf = (content: CertificateContent): Section => {
  const decided = content.documentDecidedAt;
  return {
    title: "Cómo se verificó",
    rows: [
      ["Comparación del rostro", `Positiva (resultado ${content.facialAuthenticationResult})`],
      ["Similitud", spanishShare(content.facialAuthenticationSimilarity)],
      ["Coincidencia falsa", countedOf(content)],
      ["Prueba de vida", `Persona viva (resultado ${content.passiveLivenessResult})`],
      [
        "En qué se basa",
        content.livenessLevel === null ? "No consta" : livenessLevels[content.livenessLevel],
      ],
      ["Validación del documento", `Aprobada (código ${content.documentValidationCode})`],
      ["Documento aprobado el", decided === null ? "Ya no se conserva" : spanishTime(decided)],
      ["Persona y documento", ways[content.samePersonBy]],
      ...documentRowsOf(content),
      [
        "Retrato del documento",
        content.portraitEvidence === null ? noEvidence : evidences[content.portraitEvidence],
      ],
    ],
  };
};

const referencesOf = (content: CertificateContent): Section => ({
  title: "Referencias",
  rows: [
    ["Proveedor de la verificación", content.provider],
    ["Transacción", content.serviceTransactionId],
    ["Código de verificación", content.codigoVerificacion],
    ["Validación del documento", content.scanReference],
  ],
});

const proofOf = ({ hashes }: CertificateContent): Section => ({
  title: "Integridad",
  rows: [
    ["Hash de autenticación", hashes.facialAuthenticationHash ?? "Ya no se conserva"],
    ["Versión de los umbrales", hashes.policyVersion],
    ...Object.entries(hashes.models).map(([name, sha256]): Row => [`Modelo ${name} (SHA-256)`, sha256]),
  ],
});
