import { parseJson } from "../../simulator/simulator.ts";
import { civilWord, civilWords, type RegistryForm, textOf, written } from "../registry-form.ts";

/** A list with one person, dates with hyphens, each given name apart. */
export const guatemalaRegistry: RegistryForm = {
  country: "GTM",
  name: "renap-gtm",
  auth: { kind: "key", header: "x-renap-token" },
  request: { method: "POST", path: "/wsrenap/cui", body: { cui: "{documentNumber}" } },
  readAsked: ({ body }) => {
    const documentNumber = textOf(parseJson(body), "cui");
    return documentNumber === undefined ? undefined : { documentNumber };
  },
  describe: (person, photo) => ({
    Resultado: "OK",
    Personas: [
      {
        Cui: person.documentNumber,
        PrimerNombre: person.givenNames[0],
        SegundoNombre: person.givenNames[1],
        PrimerApellido: person.surnames[0],
        SegundoApellido: person.surnames[1],
        FechaNacimiento: written(person.dateOfBirth, "DD-MM-YYYY"),
        Genero: person.gender === "M" ? "MASCULINO" : "FEMENINO",
        Nacionalidad: "GUATEMALA",
        EstadoCivil: civilWord(person, civilWords),
        Vecindad: { Municipio: person.city, Departamento: person.province },
        FechaVencimiento: written(person.expiryDate, "DD-MM-YYYY"),
        Fotografia: photo ?? null,
      },
    ],
  }),
  unknown: { status: 200, body: { Resultado: "SIN REGISTRO", Personas: [] } },
  unknownRule: { where: { "/Resultado": ["SIN REGISTRO"] } },
  fields: {
    documentNumber: "/Personas/0/Cui",
    firstName: ["/Personas/0/PrimerNombre", "/Personas/0/SegundoNombre"],
    lastName: ["/Personas/0/PrimerApellido", "/Personas/0/SegundoApellido"],
    dateOfBirth: { from: "/Personas/0/FechaNacimiento", format: "DD-MM-YYYY" },
    gender: { from: "/Personas/0/Genero", values: { MASCULINO: "M", FEMENINO: "F" } },
    nationality: { from: "/Personas/0/Nacionalidad", values: { GUATEMALA: "GTM" } },
    civilStatus: "/Personas/0/EstadoCivil",
    city: "/Personas/0/Vecindad/Municipio",
    province: "/Personas/0/Vecindad/Departamento",
    expiryDate: { from: "/Personas/0/FechaVencimiento", format: "DD-MM-YYYY" },
    photo: { from: "/Personas/0/Fotografia" },
  },
};
