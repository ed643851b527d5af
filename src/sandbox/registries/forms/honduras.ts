import { parseJson } from "../../simulator/simulator.ts";
import { type RegistryForm, textOf, written } from "../registry-form.ts";

/** Given names before surnames, Basic credentials, dates with slashes. */
export const hondurasRegistry: RegistryForm = {
  country: "HND",
  name: "rnp-hnd",
  auth: { kind: "basic" },
  request: { method: "POST", path: "/rnp/inscripcion", body: { identidad: "{documentNumber}" } },
  readAsked: ({ body }) => {
    const documentNumber = textOf(parseJson(body), "identidad");
    return documentNumber === undefined ? undefined : { documentNumber };
  },
  describe: (person, photo) => ({
    inscripcion: {
      numeroIdentidad: person.documentNumber,
      nombres: person.givenNames.join(" "),
      apellidos: person.surnames.join(" "),
      nacimiento: { fecha: written(person.dateOfBirth, "DD/MM/YYYY"), municipio: person.city },
      sexo: person.gender === "M" ? "Masculino" : "Femenino",
      padre: person.fatherName,
      madre: person.motherName,
      residencia: { direccion: person.address, municipio: person.city, departamento: person.province },
      vence: written(person.expiryDate, "DD/MM/YYYY"),
    },
    fotografia: photo ?? null,
  }),
  unknown: { status: 404, body: { mensaje: "Identidad no inscrita" } },
  unknownRule: { status: [404] },
  fields: {
    documentNumber: "/inscripcion/numeroIdentidad",
    firstName: "/inscripcion/nombres",
    lastName: "/inscripcion/apellidos",
    dateOfBirth: { from: "/inscripcion/nacimiento/fecha", format: "DD/MM/YYYY" },
    gender: { from: "/inscripcion/sexo", values: { Masculino: "M", Femenino: "F" } },
    fatherName: "/inscripcion/padre",
    motherName: "/inscripcion/madre",
    address: "/inscripcion/residencia/direccion",
    city: "/inscripcion/residencia/municipio",
    province: "/inscripcion/residencia/departamento",
    expiryDate: { from: "/inscripcion/vence", format: "DD/MM/YYYY" },
    photo: { from: "/fotografia" },
  },
};
