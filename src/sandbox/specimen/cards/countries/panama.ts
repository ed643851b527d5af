import { type CardHolder, compact, givenNamesOf, spelled, surnamesOf, unaccented } from "../card-holder.ts";
import { type CardLayout, printed } from "../card-layout.ts";

/** Cédula, from 2023: names without a label, a QR code with the data, no MRZ. */
export const panamaCard = (holder: CardHolder): CardLayout => ({
  front: printed(
    [0.3, 0.03, "REPÚBLICA DE PANAMÁ"],
    [0.3, 0.09, "TRIBUNAL ELECTORAL"],
    [0.36, 0.2, givenNamesOf(holder)],
    [0.36, 0.26, surnamesOf(holder)],
    [0.36, 0.34, "NOMBRE USUAL:"],
    [0.36, 0.4, `FECHA DE NACIMIENTO: ${spelled(holder.dateOfBirth, "-")}`, "line"],
    [0.36, 0.46, `LUGAR DE NACIMIENTO: ${holder.province}, ${holder.city}`, "line"],
    [0.36, 0.52, `SEXO: ${holder.gender}`, "line"],
    [0.36, 0.58, `EXPEDIDA: ${spelled(holder.issueDate, "-")}`, "line"],
    [0.36, 0.64, `EXPIRA: ${spelled(holder.expiryDate, "-")}`, "line"],
    [0.6, 0.8, holder.printedNumber],
  ),
  // Without print the regular waves of the back look like a screen.
  back: printed(
    [0.05, 0.05, "Tribunal Electoral"],
    [0.05, 0.11, "Dirección Nacional de Cedulación"],
    [0.05, 0.17, "Documento personal e intransferible"],
    [0.05, 0.23, "Consérvelo y protéjalo del sol"],
    [0.05, 0.75, "Quien encuentre este documento"],
    [0.5, 0.75, "lo entrega en la oficina más cercana"],
    [0.05, 0.81, "La ley castiga su alteración"],
    [0.5, 0.81, "y su uso por otra persona"],
    [0.05, 0.87, "La firma y la huella del titular"],
    [0.5, 0.87, "constan en el registro de la Dirección"],
  ),
  barcode: [
    "QRCode",
    [
      holder.documentNumber,
      ...holder.givenNames.map(unaccented),
      ...holder.surnames.map(unaccented),
      holder.gender,
      unaccented(holder.province),
      compact(holder.dateOfBirth),
      "PANAMEÑA",
      compact(holder.issueDate),
      compact(holder.expiryDate),
      "X",
    ].join("|"),
  ],
});
