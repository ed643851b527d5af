import type { RefusalPage } from "#contract/endpoint";
import { FileAnswer } from "#contract/file-answer";
import { certificateForms, negotiateForm } from "./negotiate.ts";
import { pageHeaders, writeNote } from "./write-page.ts";

type Note = { readonly title: string; readonly text: string };

/** What a clerk reads and can do. A status has one text: it tells no cause of another. */
const notes: Readonly<Record<number, Note>> = {
  400: {
    title: "La dirección está incompleta",
    text: "Cárguela de nuevo tal como la recibió.",
  },
  401: {
    title: "No se puede abrir el certificado",
    text: "La clave de la dirección, o el usuario y la contraseña, no son correctos. Revise la dirección y cárguela de nuevo.",
  },
  403: {
    title: "No se puede abrir el certificado",
    text: "La clave de la dirección no abre certificados. Pida otra a la institución que se la entregó.",
  },
  404: {
    title: "Esta dirección no abre ningún certificado",
    text: "La dirección venció, ya se usó todas las veces permitidas o no es correcta. Pida una nueva a la institución que se la entregó.",
  },
  429: {
    title: "Demasiados intentos",
    text: "Espere un minuto y cargue la página de nuevo.",
  },
};

const unavailable: Note = {
  title: "El certificado no está disponible en este momento",
  text: "Vuelva a cargar la página en unos minutos. Si el problema continúa, avise a la institución que le entregó la dirección.",
};

/**
 * The page of a refusal for a clerk, in Spanish, if Accept prefers a page. Its status is the status of the
 * JSON.
 */
export const refusalPage: RefusalPage = (accept, status) => {
  if (negotiateForm(accept, certificateForms) !== "text/html") return undefined;
  const { title, text } = notes[status] ?? unavailable;
  return new FileAnswer(
    "text/html; charset=utf-8",
    [Buffer.from(writeNote(title, text), "utf8")],
    pageHeaders,
  );
};
