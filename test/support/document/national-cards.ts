import { barcodeOf } from "#judging/document/reading/barcode/barcode";
import type { Symbology } from "#judging/document/reading/barcode/zxing";
import type { TextLine } from "#judging/document/reading/ocr/text-line";
import type { DocumentReading } from "#judging/document/reading/reading";
import { printed } from "./printed-lines.ts";
import { mrzOf, readingOf, sideOf } from "./reading.ts";

/** A card as the readers would report it. Persons and numbers are invented, check digits computed. */
export type DrawnCard = {
  readonly front: readonly TextLine[];
  readonly back?: readonly TextLine[];
  readonly mrz?: readonly string[];
  readonly barcode?: readonly [Symbology, string];
};

export const cardReading = ({ front, back = [], mrz, barcode }: DrawnCard): DocumentReading => {
  const [symbology, text] = barcode ?? [];
  const barcodes =
    symbology === undefined || text === undefined
      ? []
      : [barcodeOf({ symbology, bytes: Buffer.from(text, "latin1") })];
  const behind = sideOf({
    lines: back,
    barcodes,
    sha256: "cd".repeat(32),
    faces: 0,
    ...(mrz === undefined ? {} : { mrz: mrzOf(mrz) }),
  });
  const { portrait: _, ...withoutPortrait } = behind;
  return readingOf(sideOf({ lines: front, rotationKnownBy: "face" }), withoutPortrait);
};

export const chile: DrawnCard = {
  front: printed(
    [0.2, 0.04, "REPÚBLICA DE CHILE"],
    [0.2, 0.1, "SERVICIO DE REGISTRO CIVIL E IDENTIFICACIÓN"],
    [0.36, 0.18, "APELLIDOS"],
    [0.36, 0.23, "SOLÍS"],
    [0.36, 0.28, "PRUEBA"],
    [0.36, 0.35, "NOMBRES"],
    [0.36, 0.4, "ANA MARÍA"],
    [0.36, 0.47, "NACIONALIDAD"],
    [0.6, 0.47, "SEXO"],
    [0.36, 0.52, "CHILENA"],
    [0.6, 0.52, "F"],
    [0.36, 0.59, "FECHA DE NACIMIENTO"],
    [0.7, 0.59, "NÚMERO DOCUMENTO"],
    [0.36, 0.64, "01 ENE 1990"],
    [0.7, 0.64, "A12.345.678"],
    [0.36, 0.71, "FECHA DE EMISIÓN"],
    [0.7, 0.71, "FECHA DE VENCIMIENTO"],
    [0.36, 0.76, "02 ENE 2025"],
    [0.7, 0.76, "01 ENE 2035"],
    [0.05, 0.9, "RUN 12.345.678-5"],
  ),
  back: printed([0.05, 0.1, "Nació en: SANTIAGO"]),
  mrz: ["INCHLA123456784S51<<<<<<<<<<<<", "9001011F3501014CHL12345678<5<7", "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<"],
  barcode: [
    "QRCode",
    "https://portal.sidiv.registrocivil.cl/docstatus?RUN=12345678-5&type=CEDULA&serial=A12345678&mrz=A12345678490010113501014&name=ANA%20MAR%CDA%20%20SOL%CDS%20%20PRUEBA",
  ],
};

export const peru: DrawnCard = {
  front: printed(
    [0.2, 0.03, "REPÚBLICA DEL PERÚ"],
    [0.2, 0.08, "REGISTRO NACIONAL DE IDENTIFICACIÓN Y ESTADO CIVIL"],
    [0.2, 0.13, "DOCUMENTO NACIONAL DE IDENTIDAD"],
    [0.72, 0.06, "DNI 12345678 - 1"],
    [0.3, 0.2, "Primer Apellido"],
    [0.3, 0.25, "SOLÍS"],
    [0.3, 0.31, "Segundo Apellido"],
    [0.3, 0.36, "PRUEBA"],
    [0.3, 0.42, "Pre Nombres"],
    [0.3, 0.47, "ANA MARÍA"],
    [0.3, 0.53, "Nacimiento: Fecha y Ubigeo"],
    [0.3, 0.58, "01 01 1990 150101"],
    [0.3, 0.64, "Sexo"],
    [0.5, 0.64, "Estado Civil"],
    [0.3, 0.69, "F"],
    [0.5, 0.69, "S"],
    [0.75, 0.6, "Fecha Inscripción"],
    [0.75, 0.65, "10 02 2008"],
    [0.75, 0.71, "Fecha Emisión"],
    [0.75, 0.76, "05 06 2026"],
    [0.75, 0.82, "Fecha Caducidad"],
    [0.75, 0.87, "01 01 2035"],
  ),
  back: printed(
    [0.05, 0.1, "Departamento"],
    [0.35, 0.1, "Provincia"],
    [0.65, 0.1, "Distrito"],
    [0.05, 0.16, "LIMA"],
    [0.35, 0.16, "LIMA"],
    [0.65, 0.16, "MIRAFLORES"],
    [0.05, 0.25, "Dirección"],
    [0.05, 0.31, "AV. EJEMPLO 123"],
  ),
  mrz: ["I<PER12345678<8<<<<<<<<<<<<<<<", "9001011F3501014PER<<<<<<<<<<<0", "SOLIS<<ANA<MARIA<<<<<<<<<<<<<<"],
  barcode: ["Code39", "12345678"],
};

export const ecuador: DrawnCard = {
  front: printed(
    [0.2, 0.03, "REPÚBLICA DEL ECUADOR"],
    [0.2, 0.09, "DIRECCIÓN GENERAL DE REGISTRO CIVIL, IDENTIFICACIÓN Y CEDULACIÓN"],
    [0.36, 0.18, "APELLIDOS"],
    [0.36, 0.23, "SOLÍS PRUEBA"],
    [0.36, 0.3, "NOMBRES"],
    [0.36, 0.35, "ANA MARÍA"],
    [0.36, 0.42, "NACIONALIDAD"],
    [0.36, 0.47, "ECUATORIANA"],
    [0.36, 0.54, "FECHA DE NACIMIENTO"],
    [0.68, 0.54, "SEXO"],
    [0.36, 0.59, "01 ENE 1990"],
    [0.68, 0.59, "MUJER"],
    [0.36, 0.66, "FECHA DE VENCIMIENTO"],
    [0.36, 0.71, "01 ENE 2035"],
    [0.05, 0.88, "NUI.1710034065"],
  ),
  back: printed([0.6, 0.06, "CÓDIGO DACTILAR"], [0.6, 0.11, "V1234I5678"]),
  mrz: ["I<ECUA123456784<<<<<<<<<<<<<<<", "9001011F3501014ECU1710034065<9", "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<"],
};

export const honduras: DrawnCard = {
  front: printed(
    [0.2, 0.03, "REPÚBLICA DE HONDURAS"],
    [0.2, 0.09, "REGISTRO NACIONAL DE LAS PERSONAS"],
    [0.36, 0.2, "NOMBRE / FORENAME"],
    [0.36, 0.25, "ANA MARÍA"],
    [0.36, 0.32, "APELLIDO / SURNAME"],
    [0.36, 0.37, "SOLÍS PRUEBA"],
    [0.36, 0.44, "FECHA DE NACIMIENTO / DATE OF BIRTH"],
    [0.36, 0.49, "01-01-1990"],
    [0.36, 0.56, "NÚMERO DE IDENTIFICACIÓN / ID NUMBER"],
    [0.36, 0.61, "0801 1990 12345"],
  ),
  back: printed([0.1, 0.1, "COMISIONADOS PROPIETARIOS"]),
  mrz: ["I<HND0012345678<<<<<<<<<<<<<<<", "9001011F3101012HND<<<<<<<<<<<0", "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<"],
};

export const panama: DrawnCard = {
  front: printed(
    [0.3, 0.03, "REPÚBLICA DE PANAMÁ"],
    [0.3, 0.09, "TRIBUNAL ELECTORAL"],
    [0.36, 0.2, "Ana María"],
    [0.36, 0.26, "Pérez Solís"],
    [0.36, 0.34, "NOMBRE USUAL:"],
    [0.36, 0.4, "FECHA DE NACIMIENTO: 01-ENE-1990"],
    [0.36, 0.46, "LUGAR DE NACIMIENTO: PANAMÁ, PANAMÁ"],
    [0.36, 0.52, "SEXO: F"],
    [0.36, 0.58, "EXPEDIDA: 03-FEB-2024"],
    [0.36, 0.64, "EXPIRA: 03-FEB-2034"],
    [0.6, 0.8, "8-123-456"],
  ),
  barcode: ["QRCode", "8-123-456|ANA|MARIA|PEREZ|SOLIS|F|PANAMA|19900101|PANAMEÑA|20240203|20340203|X"],
};

export const guatemala: DrawnCard = {
  front: printed(
    [0.2, 0.03, "REPÚBLICA DE GUATEMALA"],
    [0.2, 0.09, "REGISTRO NACIONAL DE LAS PERSONAS"],
    [0.2, 0.15, "DOCUMENTO PERSONAL DE IDENTIFICACIÓN"],
    [0.6, 0.22, "CUI"],
    [0.7, 0.22, "1234 56789 0101"],
    [0.36, 0.3, "Nombre / Name"],
    [0.36, 0.35, "ANA MARÍA"],
    [0.36, 0.42, "Apellido / Last name"],
    [0.36, 0.47, "SOLÍS PRUEBA"],
    [0.36, 0.54, "Nacionalidad / Nationality"],
    [0.36, 0.59, "GTM"],
    [0.66, 0.54, "Sexo / Sex"],
    [0.66, 0.59, "F"],
    [0.36, 0.66, "Fecha de nacimiento / Date of birth"],
    [0.36, 0.71, "01ENE1990"],
  ),
  back: printed([0.05, 0.1, "Fecha de vencimiento / Date of expiry"], [0.05, 0.15, "01ENE2035"]),
  mrz: ["I<GTM12345678970101<<<<<<<<<<<", "9001011F3501014GTM<<<<<<<<<<<6", "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<"],
};

export const argentina: DrawnCard = {
  front: printed(
    [0.2, 0.03, "REPÚBLICA ARGENTINA - MERCOSUR"],
    [0.2, 0.09, "REGISTRO NACIONAL DE LAS PERSONAS"],
    [0.36, 0.18, "Apellido / Surname"],
    [0.36, 0.23, "SOLIS"],
    [0.36, 0.3, "Nombre / Name"],
    [0.36, 0.35, "ANA MARIA"],
    [0.36, 0.42, "Sexo / Sex"],
    [0.52, 0.42, "Nacionalidad / Nationality"],
    [0.36, 0.47, "F"],
    [0.52, 0.47, "ARGENTINA"],
    [0.36, 0.54, "Fecha de nacimiento / Date of birth"],
    [0.36, 0.59, "01 ENE/ JAN 1990"],
    [0.36, 0.66, "Fecha de emisión / Date of issue"],
    [0.36, 0.71, "02 MAR/ MAR 2019"],
    [0.36, 0.78, "Fecha de vencimiento / Date of expiry"],
    [0.36, 0.83, "01 ENE/ JAN 2035"],
    [0.05, 0.8, "Documento / Document"],
    [0.05, 0.85, "30.123.456"],
    [0.36, 0.9, "Trámite N° / Of. ident."],
    [0.75, 0.9, "00123456789"],
  ),
  back: printed([0.05, 0.1, "DOMICILIO: CALLE FALSA 123 - CABA"], [0.05, 0.2, "CUIL: 27-30123456-8"]),
  mrz: ["IDARG30123456<2<<<<<<<<<<<<<<<", "9001011F3501014ARG<<<<<<<<<<<2", "SOLIS<<ANA<MARIA<<<<<<<<<<<<<<"],
  barcode: ["PDF417", "00123456789@SOLIS@ANA MARIA@F@30123456@A@01/01/1990@02/03/2019@278"],
};

export const costaRica: DrawnCard = {
  front: printed(
    [0.2, 0.03, "REPÚBLICA DE COSTA RICA"],
    [0.2, 0.09, "TRIBUNAL SUPREMO DE ELECCIONES"],
    [0.2, 0.15, "CÉDULA DE IDENTIDAD"],
    [0.6, 0.2, "1 1234 0567"],
    [0.36, 0.3, "Nombre: ANA MARÍA"],
    [0.36, 0.38, "1° Apellido: SOLÍS"],
    [0.36, 0.46, "2° Apellido: PRUEBA"],
  ),
  mrz: ["IDCRI1123405675<C00012345<<<<<", "9001011F3510063CRI<<<<<<<<<<<3", "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<"],
};
