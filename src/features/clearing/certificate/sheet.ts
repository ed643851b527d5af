import type { CertificateContent } from "#contract/clearing.routes";
import type { Certificate, Row, Section, Sheet } from "./certificate.ts";

/** `21-11-2026 09:30:00 UTC`: day, month, year, as Chile writes them. */
export const spanishTime = (iso: string): string => {
  const [, year, month, day, time] = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})/.exec(iso) ?? [];
  return year === undefined ? iso : `${day}-${month}-${year} ${time} UTC`;
};

/** `12-08-1974` from a date of the record. */
const spanishDate = (date: string): string => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  return year === undefined ? date : `${day}-${month}-${year}`;
};

/** `99,21 %`. Rounds down: a certificate must not show a match as better than it was. */
export const spanishShare = (share: number): string =>
  `${(Math.floor(share * 10_000) / 100).toFixed(2).replace(".", ",")} %`;

/** `1 en 1.000.000`. */
export const spanishRate = (rate: number): string =>
  `1 en ${String(Math.floor(1 / rate + 1e-6)).replaceAll(/\B(?=(\d{3})+$)/g, ".")}`;

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
  sections: [personOf(content), checksOf(content), referencesOf(content), proofOf(content)],
  linkNote:
    "Enlace de verificación. Se abre con la clave de la entidad de compensación y es válido hasta el " +
    `${spanishTime(content.tokenExpiresAt)}.`,
  footer: `Emitido por ${content.provider} el ${spanishTime(content.issuedAt)} con Idem ${release}`,
});

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
    ["Número de identidad", idNumber ?? unread],
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
  faces: "El retrato del documento se comparó con el rostro capturado",
};

const checksOf = (content: CertificateContent): Section => {
  const { facialAuthenticationSimilarity: similarity, fmrAtScore } = content;
  const decided = content.documentDecidedAt;
  return {
    title: "Cómo se verificó",
    rows: [
      ["Comparación del rostro", `Positiva (resultado ${content.facialAuthenticationResult})`],
      ["Similitud", spanishShare(similarity)],
      ...(fmrAtScore === null
        ? []
        : [["Coincidencia falsa", `A lo más ${spanishRate(fmrAtScore)} comparaciones`] as const]),
      ["Prueba de vida", `Persona viva (resultado ${content.passiveLivenessResult})`],
      ["Validación del documento", `Aprobada (código ${content.documentValidationCode})`],
      ["Documento aprobado el", decided === null ? "Ya no se conserva" : spanishTime(decided)],
      ["Persona y documento", ways[content.samePersonBy]],
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
