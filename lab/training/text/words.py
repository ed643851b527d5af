"""Words that stand on documents: common given names, surnames, places and the printed words of cards. Facts of
languages and gazetteers, written down by hand; no list of persons."""

GIVEN_ES = """María José Juan Ana Luis Carlos Jorge Rosa Carmen Luisa Miguel Ángel Andrés Sofía Lucía Elena Jesús Martín Pedro
Pablo Diego Sebastián Nicolás Tomás Matías Joaquín Agustín Ramón Raúl Óscar Héctor Víctor Hugo César Julio Julián
Adrián Iván Rubén Darío Mario Marco Álvaro Íñigo Gonzalo Rodrigo Fernando Fernanda Alejandro Alejandra Ximena Jimena
Valentina Camila Isabel Isabella Gabriela Daniela Paula Paola Verónica Mónica Patricia Beatriz Inés Raquel Belén
Concepción Asunción Encarnación Dolores Pilar Mercedes Guadalupe Milagros Rocío Yolanda Zoila Wilson Wilmer Walter Yesenia
Kevin Bryan Jefferson Washington Freddy Edison Byron Xavier Marlon Darwin Nelly Gladys Norma Blanca Nieves Angélica Cristóbal Benjamín
Emilia Renata Micaela Ignacio Santiago Esteban Felipe Francisco Lourdes Teresa Bárbara Úrsula Zulema Ñusta Itzel Yaretzi
Efraín Moisés Isaías Saúl Abigaíl Rebeca Noemí Débora Édgar Wálter Jhon Jhonny Maikol Aníbal Germán Hernán Adán Eva""".split()
SURNAMES_ES = """García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz
Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina Morales
Suárez Ortega Delgado Castro Ortiz Rubio Marín Sanz Núñez Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero
Cano Prieto Méndez Cruz Calvo Gallego Vidal León Márquez Herrera Peña Flores Cabrera Campos Vega Fuentes Carrasco Diez
Reyes Caballero Nieto Aguilar Pascual Santana Herrero Montero Lorenzo Hidalgo Giménez Ibáñez Ferrer Durán Benítez Mora
Vargas Arias Quispe Mamani Huamán Condori Chávez Yánez Zambrano Cedeño Vélez Macías Guamán Chicaiza Tipán Cevallos Intriago
Ureña Brenes Solano Zúñiga Chacón Quesada Alfaro Araya Castellanos Xitumul Choc Caal Tzoc Ixchop Pop Coc Cajas Lemus
Sosa Acosta Ojeda Báez Peralta Quiroga Ledesma Villalba Godoy Ponce Aguirre Echeverría Etchegaray Yrigoyen Bustamante Cáceres Zelaya
Funes Maradiaga Euceda Pavón Discua Bográn Batista Him Samudio Guerra Atencio Espino Barría Pitti Carreño Sepúlveda Riquelme
Ñancupil Huenchumilla Catrileo Ibarra Villagrán Ahumada Undurraga Errázuriz Piñera Boric Ñáñez Ñopo Argüello Agüero Güemes""".split()
GIVEN_PT = """João António José Manuel Luís Inês Conceição Assunção Sebastião Simão Estêvão Gonçalo Gonçalves Lourenço Nuno Rui
Tiago Duarte Afonso Vasco Joaquim Catarina Mariana Leonor Matilde Beatriz Graça Lúcia Íris Mônica Patrícia Verônica Fátima Raíssa
Thaís Taís Luíza Júlia Antônio Fábio Flávio Márcio Sérgio Vinícius Caíque Cauã Ruan Kauê Iasmin Yasmin Wellington""".split()
SURNAMES_PT = """Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Souza Fernandes Gonçalves Gomes Lopes Marques
Alves Almeida Ribeiro Pinto Carvalho Teixeira Moreira Correia Mendes Nunes Soares Vieira Monteiro Cardoso Rocha Raposo Neves
Coelho Cruz Cunha Pires Ramos Reis Simões Antunes Matos Fonseca Morais Araújo Guimarães Magalhães Brandão Leitão Galvão Falcão
Assunção Conceição Encarnação Camões Luís Caldeirão Sequeira Pêgo Vilaça Mourão Frazão Assis Conceição""".split()
GIVEN_CE = """Ján Jana Jozef Peter Pavol Martin Marek Michal Miroslav Ľubomír Ľuboš Ľudmila Štefan Juraj Tomáš Vladimír Zdenko Zdeněk
Zuzana Katarína Kateřina Mária Marie Eva Anna Alžběta Alžbeta Božena Terézia Tereza Veronika Žofia Žofie Želmíra Ondřej Ondrej
Jiří Jaroslav Jaromír Řehoř Bořivoj Přemysl Vojtěch Matěj Šimon Kryštof Dušan Ďuro Ľubica Ľubor Radovan Krisztina
Paweł Małgorzata Łukasz Wojciech Grzegorz Krzysztof Katarzyna Agnieszka Elżbieta Stanisław Zbigniew Jerzy Józef Michał Żaneta
Bożena Święto Błażej Sławomir István László György Gábor Zoltán Ferenc Erzsébet Ágnes Éva Zsófia Győző Jenő Ödön Ünige Csaba
Željko Željka Slavko Zvonimir Tomislav Krešimir Dražen Siniša Nikša Mirjana Snježana Đorđe Đurđica Miloš Uroš Matjaž Aleš
Andraž Žiga Špela Mojca Nejc Urška Gašper Tjaša Anže Blaž Ștefan Ionuț Mihăiță Rareș Andreea Cătălin Mădălina Crăciun Mihai
Jürgen Günther Björn Sören Käthe Bärbel Müller Jörg Zoë Noël André François René Hélène Gaël Loïc Åse Øystein Pål Märta""".split()
SURNAMES_CE = """Novák Nováková Horváth Horváthová Kováč Kováčová Varga Vargová Tóth Tóthová Nagy Nagyová Baláž Balážová Szabó Szabóová
Molnár Molnárová Balog Lukáč Lukáčová Novotný Novotná Polák Poláková Gajdoš Kollár Hudák Hudáková Krajčí Krajčíová Ďurica Ďuriš
Šimko Šimková Ševčík Ševčíková Žák Žáková Ľupták Ľuptáková Oravec Hruška Hrušková Kučera Kučerová Dvořák Dvořáková Černý Černá
Procházka Veselý Veselá Horák Němec Němcová Pokorný Marek Pospíšil Hájek Jelínek Král Růžička Růžičková Beneš Fiala Sedláček
Doležal Zeman Kolář Navrátil Čermák Vaněk Urban Blažek Kříž Kovář Říha Švec Štěpánek Šťastný Konečný Bureš Malý Ťažký
Nowak Kowalski Kowalska Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański Woźniak Dąbrowski Kozłowski Jabłońska
Mazur Krawczyk Piotrowska Grabowski Pawłowski Michalski Król Wieczorek Jędrzejczak Źrebiec Ćwikliński Śliwa Łęcki Świątek Żółć
Kovács Németh Farkas Balogh Papp Takács Juhász Mészáros Oláh Rácz Fekete Szűcs Török Fehér Gál Pintér Szőke Győri Hőgye
Horvat Kovačević Babić Marić Jurić Novak Kovačič Knežević Vuković Marković Petrović Matić Tomić Pavlović Šarić Grgić Perić Đukić
Zupančič Kranjc Krajnc Potočnik Mlakar Vidmar Kos Golob Turk Božič Žagar Hribar Kavčič Hočevar Žnidaršič Debevec Čeh Štrukelj
Popescu Ionescu Țurcanu Munteanu Rădulescu Gheorghe Stănescu Păun Căpățînă Mureșan Bălan Dănilă Groß Weiß Schäfer Köhler Krüger
Böhm Jäger Weißmann Strauß Lefèvre Gauthier Çelik Yıldız Ångström Sjöberg Lindström Kjærgaard Sørensen Nørgård""".replace("Yıldız ", "").split()
PLACES = """Quito Guayaquil Cuenca Ambato Loja Riobamba Machala Manta Ibarra Latacunga Tulcán Pichincha Guayas Azuay Manabí Cañar
Esmeraldas Tungurahua Chimborazo Sucumbíos Galápagos Lima Callao Arequipa Cusco Cuzco Trujillo Piura Iquitos Puno Tacna Áncash Junín Huánuco
Ayacucho Cajamarca Ucayali Huancavelica Apurímac Lambayeque Miraflores Bogotá Medellín Cali Cartagena Cúcuta Ibagué Popayán Boyacá
Cundinamarca Antioquia Córdoba Bolívar Nariño Santiago Valparaíso Concepción Temuco Ñuñoa Iquique Antofagasta Copiapó Chillán Valdivia
Biobío Aysén Magallanes Providencia Maipú Buenos Aires Rosario Mendoza Tucumán Salta Jujuy Neuquén Río Negro Chubut Entre Ríos Paraná
Corrientes Misiones Catamarca Avellaneda Lanús Quilmes Guatemala Mixco Quetzaltenango Escuintla Chimaltenango Sololá Totonicapán Petén
Alta Verapaz Huehuetenango Sacatepéquez Suchitepéquez Retalhuleu Zacapa Jalapa Tegucigalpa Comayagua Comayagüela Francisco Morazán Cortés
San Pedro Sula La Ceiba Choluteca Olancho Yoro Copán Atlántida Intibucá Lempira Ocotepeque Panamá Colón Chiriquí Veraguas Coclé
Darién Bocas del Toro Herrera Los Santos Chitré Penonomé Arraiján Guna Yala Ngäbe-Buglé Emberá San José Alajuela Cartago Heredia
Guanacaste Puntarenas Limón Desamparados Pérez Zeledón Liberia Nicoya Lisboa Porto Coimbra Évora Setúbal Braga Guimarães Viseu
São Paulo Rio de Janeiro Brasília Goiânia Belém Maceió Florianópolis Vitória Ceará Maranhão Paraíba Piauí Rondônia Santa Catarina
Madrid Málaga Cádiz Cáceres Córdoba Logroño Coruña Álava Gijón Castellón Almería México Jalisco Yucatán Querétaro Michoacán
Bratislava Košice Prešov Žilina Nitra Trnava Trenčín Martin Poprad Zvolen Banská Bystrica Michalovce Levice Komárno Šaľa
Piešťany Ružomberok Topoľčany Čadca Humenné Bardejov Lučenec Rožňava Považská Bystrica Dunajská Streda Nové Zámky Skalica Sečovce Spišská Nová Ves
Praha Brno Ostrava Plzeň Liberec Olomouc České Budějovice Hradec Králové Ústí nad Labem Pardubice Zlín Jihlava Děčín Kroměříž Třebíč
Warszawa Kraków Łódź Wrocław Poznań Gdańsk Szczecin Białystok Częstochowa Rzeszów Toruń Bielsko-Biała Świdnica Węgorzewo Żyrardów
Budapest Debrecen Szeged Miskolc Pécs Győr Nyíregyháza Székesfehérvár Hódmezővásárhely Ljubljana Maribor Celje Kočevje Škofja Loka
Zagreb Split Rijeka Osijek Šibenik Varaždin Požega Beograd Niš Čačak Timișoara Bucureşti Iași Cluj Brașov Galați Constanța Bacău
Zürich Köln München Düsseldorf Genève Besançon Málaga Malmö Göteborg Tromsø Århus""".split()
STREETS = """Calle Avenida Av. Jr. Jirón Pasaje Psje. Carrera Cra. Diagonal Transversal Barrio Bº Urb. Urbanización Colonia Col. Residencial
Mz. Lote Lt. Dpto. Piso Nº No. Km. Vía Ruta Sector Parroquia Cantón Provincia Zona Aldea Caserío Lotificación Bloque Casa Edificio Edif.
Ulica Ul. Námestie Nám. Hlavná Rua R. Travessa Praça Alameda Via Piazza Straße Str. Rue Utca Aleja ulica""".split()
MONTHS = ("ENE FEB MAR ABR MAY JUN JUL AGO SEP SET OCT NOV DIC", "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC",
          "JAN FEV MAR ABR MAI JUN JUL AGO SET OUT NOV DEZ")
MONTHS = tuple(line.split() for line in MONTHS)
LONG_MONTHS = """enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janeiro fevereiro março
maio junho julho setembro outubro novembro dezembro January February March April June July August September October December
január február marec apríl máj jún júl august september október november december leden únor březen duben květen srpen říjen
stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia siječanj veljača ožujak""".split()
NATIONALITIES = """ECUATORIANA ECUATORIANO PERUANA PERUANO ARGENTINA ARGENTINO CHILENA CHILENO COSTARRICENSE GUATEMALTECA
HONDUREÑA HONDUREÑO PANAMEÑA PANAMEÑO COLOMBIANA COLOMBIANO VENEZOLANA MEXICANA ESPAÑOLA PORTUGUESA BRASILEIRA BRASILEIRO
SLOVENSKÁ ČESKÁ POLSKIE SALVADOREÑA NICARAGÜENSE CUBANA DOMINICANA PARAGUAYA URUGUAYA BOLIVIANA ESTADOUNIDENSE ITALIANA""".split()
CODES = """ECU CRI ARG PER GTM PAN HND CHL COL MEX BRA ESP PRT VEN BOL URY PRY SLV NIC CUB DOM USA CAN SVK CZE POL HUN HRV SVN ROU DEU FRA
ITA GBR AUT CHE SRB SK CZ PL EU SVK""".split()
SHORT = """M F X H MUJER HOMBRE MASCULINO FEMENINO Masculino Femenino M/M F/F S C V D SOLTERO SOLTERA CASADO CASADA VIUDO
VIUDA DIVORCIADO DIVORCIADA UNIDO A B O AB A+ B+ O+ AB+ O- A- ORH+ ARH+ DONANTE SI NO Sí VITALICIA INDEFINIDA PERMANENTE ORIGINAL
ž/F m/M M/Ž""".split()
LABELS = """APELLIDOS|APELLIDO|Apellido|Apellidos|NOMBRES|NOMBRE|Nombre|Nombres|NACIONALIDAD|Nacionalidad|SEXO|Sexo|FECHA DE NACIMIENTO
Fecha de nacimiento|FECHA Y LUGAR DE NACIMIENTO|LUGAR DE NACIMIENTO|Lugar de nacimiento|FECHA DE EMISIÓN|FECHA DE EMISION|Fecha de emisión
FECHA DE EXPEDICIÓN|FECHA DE EXPIRACIÓN|FECHA DE VENCIMIENTO|Fecha de vencimiento|FECHA DE CADUCIDAD|Fecha Caducidad|Fecha Emisión
Fecha Inscripción|NÚMERO DOCUMENTO|NUMERO DE DOCUMENTO|No. DOCUMENTO|N° DOCUMENTO|NÚMERO DE IDENTIFICACIÓN|NÚMERO DE CÉDULA|Documento|DNI
CUI|RUN|NUI|CUIL|CURP|NIT|RUT|DNI N°|DOMICILIO|Domicilio|DIRECCIÓN|Dirección|DEPARTAMENTO|Departamento|PROVINCIA|Provincia|DISTRITO|Distrito|MUNICIPIO
ESTADO CIVIL|Estado Civil|Primer Apellido|Segundo Apellido|Pre Nombres|Prenombres|1° Apellido|2° Apellido|1º Apellido|Conocido como|Nombre del padre
NOMBRE DEL PADRE|NOMBRE DE LA MADRE|APELLIDOS Y NOMBRES|APELLIDOS Y NOMBRES DEL PADRE|APELLIDOS Y NOMBRES DE LA MADRE|CONDICIÓN CIUDADANÍA
NOMBRE USUAL|EXPEDIDA|EXPIRA|TIPO DE SANGRE|DONANTE|INSTRUCCIÓN|PROFESIÓN|PROFESIÓN / OCUPACIÓN|CÓDIGO DACTILAR|COD. DACTILAR|NAT/CAN
FIRMA DEL TITULAR|Firma|Ejemplar|Trámite N°|Of. ident.|GRUPO SANGUÍNEO|G.S. RH|ESTATURA|Estatura|VENCIMIENTO|VENCE|EMISIÓN|Grupo de Votación
Donación de órganos|DOMICILIO ELECTORAL|VECINDAD|País de nacimiento|LUGAR Y FECHA DE EXPEDICIÓN|Nació en|Profesión|Serie|Código|Clave de elector
NOME|Nome|NOME COMPLETO|SOBRENOME|Apelido(s)|Nome(s)|DATA DE NASCIMENTO|Data de nascimento|DATA DE VALIDADE|VALIDADE|FILIAÇÃO|NATURALIDADE|NACIONALIDADE
REGISTRO GERAL|ÓRGÃO EMISSOR|DATA DE EMISSÃO|N.º DOCUMENTO|Altura|DOC. IDENTIDADE / ÓRG. EMISSOR|CPF|SEXO|ASSINATURA DO TITULAR
SURNAME|Surname|GIVEN NAMES|Given names|Forename|NAME|Name|Last name|First name|Nationality|Sex|Gender|Date of birth|DATE OF BIRTH|Place of birth
Date of issue|DATE OF ISSUE|Date of expiry|DATE OF EXPIRY|Document No.|ID NUMBER|Personal number|Authority|Issued by|Signature|Holder's signature|Type|Code
PRIEZVISKO|Priezvisko|MENO|Meno|POHLAVIE|ŠTÁTNE OBČIANSTVO|DÁTUM NARODENIA|RODNÉ ČÍSLO|ČÍSLO OP|DÁTUM VYDANIA|DÁTUM PLATNOSTI|VYDAL|Podpis držiteľa
PŘÍJMENÍ|JMÉNO|DATUM NAROZENÍ|MÍSTO NAROZENÍ|STÁTNÍ OBČANSTVÍ|PLATNOST DO|NAZWISKO|IMIONA|OBYWATELSTWO|DATA URODZENIA|PŁEĆ|NUMER PESEL|TERMIN WAŻNOŚCI
CSALÁDI NÉV|UTÓNÉV|SZÜLETÉSI IDŐ|ÁLLAMPOLGÁRSÁG|ÉRVÉNYESSÉGI IDŐ|PREZIME|IME|Državljanstvo|DATUM ROĐENJA|VRIJEDI DO|PRIIMEK|Datum rojstva|NUME|PRENUME|Cetățenie""".replace("\n", "|").split("|")
HEADERS = """REPÚBLICA DEL ECUADOR|REPÚBLICA DEL PERÚ|REPÚBLICA ARGENTINA|REPÚBLICA ARGENTINA - MERCOSUR|REPÚBLICA DE CHILE|REPÚBLICA DE COSTA RICA
REPÚBLICA DE PANAMÁ|REPÚBLICA DE HONDURAS|REPÚBLICA DE GUATEMALA|REPÚBLICA DE COLOMBIA|ESTADOS UNIDOS MEXICANOS|REPÚBLICA FEDERATIVA DO BRASIL|REINO DE ESPAÑA|ESPAÑA
DIRECCIÓN GENERAL DE REGISTRO CIVIL|IDENTIFICACIÓN Y CEDULACIÓN|REGISTRO NACIONAL DE IDENTIFICACIÓN Y ESTADO CIVIL|DOCUMENTO NACIONAL DE IDENTIDAD
REGISTRO NACIONAL DE LAS PERSONAS|MINISTERIO DEL INTERIOR|SERVICIO DE REGISTRO CIVIL E IDENTIFICACIÓN|CÉDULA DE IDENTIDAD|CÉDULA DE CIUDADANÍA
TRIBUNAL SUPREMO DE ELECCIONES|TRIBUNAL ELECTORAL|DOCUMENTO NACIONAL DE IDENTIFICACIÓN|DOCUMENTO PERSONAL DE IDENTIFICACIÓN|CÓDIGO ÚNICO DE IDENTIFICACIÓN
CÉDULA DE IDENTIDAD PERSONAL|CARNÉ DE EXTRANJERÍA|LICENCIA DE CONDUCIR|PASAPORTE|PASSPORT|PASAPORTE / PASSPORT|PERMISO DE RESIDENCIA|IDENTIFICACIÓN PERSONAL
CARTEIRA DE IDENTIDADE|CARTEIRA NACIONAL DE HABILITAÇÃO|CARTÃO DE CIDADÃO|REPÚBLICA PORTUGUESA|VÁLIDA EM TODO O TERRITÓRIO NACIONAL|INSTITUTO NACIONAL ELECTORAL
CREDENCIAL PARA VOTAR|TARJETA DE IDENTIDAD|SLOVENSKÁ REPUBLIKA|OBČIANSKY PREUKAZ|ČESKÁ REPUBLIKA|OBČANSKÝ PRŮKAZ|RZECZPOSPOLITA POLSKA|DOWÓD OSOBISTY
MAGYARORSZÁG|SZEMÉLYAZONOSÍTÓ IGAZOLVÁNY|REPUBLIKA HRVATSKA|OSOBNA ISKAZNICA|REPUBLIKA SLOVENIJA|OSEBNA IZKAZNICA|ROMÂNIA|CARTE DE IDENTITATE|IDENTITY CARD
RENAP|RENIEC|SEGIP|MERCOSUR|MERCOSUL|UNIÓN EUROPEA|SPECIMEN|MUESTRA|DUPLICADO|ESPECIMEN|Gobierno de la República|BUNDESREPUBLIK DEUTSCHLAND""".replace("\n", "|").split("|")
