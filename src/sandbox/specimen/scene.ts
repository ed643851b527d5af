import { seededRandom } from "#contract/statistics/random";
import type { Image, Point } from "#machine/imaging/image";
import { type Colour, fill, painted, type Ring } from "./canvas.ts";
import { makeSmoothNoise } from "./smooth-noise.ts";

/**
 * Draws the scene behind a person: a shaded wall with the objects of a home: doors, windows, framed pictures,
 * bookcases, plants and lamps. Straight edges and rectangles are intended: a presentation attack detector
 * that takes them for a screen must fail here.
 */
export const drawScene = (width: number, height: number, seed: number): Image => {
  const random = seededRandom(seed);
  const noise = makeSmoothNoise(seed + 1);
  const wall = wallColour(random);
  const grain = 2 + 6 * random();
  const scene = painted(width, height, (x, y) => {
    const shade = 0.78 + 0.3 * noise((2.2 * x) / width, (2.2 * y) / height);
    const rough = grain * (noise(x / 9, y / 9) - 0.5);
    return [wall[0] * shade + rough, wall[1] * shade + rough, wall[2] * shade + rough];
  });
  const place = rotatedBy(width, height, (random() - 0.5) * 0.12);
  const count = Math.floor(random() * 5);
  for (let i = 0; i < count; i++) {
    const thing = things[Math.floor(random() * things.length)]!;
    thing({ image: scene, random, place });
  }
  return scene;
};

type Scene = {
  readonly image: Image;
  readonly random: () => number;
  /** Maps rings in shares of the frame to pixels, slightly rotated like a hand-held camera. */
  readonly place: (ring: readonly (readonly [x: number, y: number])[]) => Ring;
};

const wallColour = (random: () => number): Colour => {
  const light = 70 + 150 * random();
  return [
    light * (0.92 + 0.16 * random()),
    light * (0.92 + 0.12 * random()),
    light * (0.8 + 0.24 * random()),
  ];
};

const rotatedBy =
  (width: number, height: number, radians: number): Scene["place"] =>
  (ring) =>
    ring.map(([u, v]): Point => {
      const [x, y] = [(u - 0.5) * width, (v - 0.5) * height];
      const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
      return [x * cos - y * sin + width / 2, x * sin + y * cos + height / 2];
    });

const box = (x: number, y: number, width: number, height: number): readonly (readonly [number, number])[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

const anyColour = (random: () => number, low = 20, high = 235): Colour => [
  low + (high - low) * random(),
  low + (high - low) * random(),
  low + (high - low) * random(),
];

/** A framed picture, or a switched-off screen on the wall. */
const hangFrame = ({ image, random, place }: Scene): void => {
  const [x, y] = [random() * 0.9 - 0.1, random() * 0.45 - 0.05];
  const [width, height] = [0.15 + 0.35 * random(), 0.12 + 0.3 * random()];
  const rim = 0.008 + 0.012 * random();
  fill(image, [place(box(x, y, width, height))], anyColour(random));
  const inner = box(x + rim, y + rim, width - 2 * rim, height - 2 * rim);
  fill(image, [place(inner)], anyColour(random, 60));
};

/** A door or a cupboard: two long vertical edges and a lintel behind the head. */
const hangDoor = ({ image, random, place }: Scene): void => {
  const [x, width, top] = [random() * 0.8 - 0.1, 0.25 + 0.3 * random(), 0.02 + 0.2 * random()];
  const colour = anyColour(random, 60);
  fill(image, [place(box(x, top, width, 1.2))], colour);
  const panel = box(x + 0.02, top + 0.03, width - 0.04, 1.2);
  fill(image, [place(panel)], [colour[0] * 0.9, colour[1] * 0.9, colour[2] * 0.9]);
};

/** A window by day: bright panes between bars. */
const hangWindow = ({ image, random, place }: Scene): void => {
  const [x, y] = [random() * 0.7 - 0.1, random() * 0.2 - 0.05];
  const [width, height] = [0.3 + 0.3 * random(), 0.3 + 0.4 * random()];
  const bar = 0.012;
  const light = 190 + 65 * random();
  fill(image, [place(box(x, y, width, height))], anyColour(random, 120));
  for (const column of [0, 1]) {
    for (const row of [0, 1]) {
      const pane = box(
        x + bar + (column * width) / 2,
        y + bar + (row * height) / 2,
        width / 2 - 2 * bar,
        height / 2 - 2 * bar,
      );
      fill(image, [place(pane)], [light, light, Math.min(255, light * 1.04)]);
    }
  }
};

/** A bookcase with books: one horizontal edge and many vertical ones. */
const hangBookcase = ({ image, random, place }: Scene): void => {
  const [left, right, y] = [random() * 0.5 - 0.1, 0.5 + 0.6 * random(), 0.2 + 0.5 * random()];
  fill(image, [place(box(left, y, right - left, 0.018))], anyColour(random, 40, 160));
  for (let x = left; x < right - 0.05; ) {
    const [width, height] = [0.015 + 0.035 * random(), 0.08 + 0.12 * random()];
    if (random() < 0.8) fill(image, [place(box(x, y - height, width, height))], anyColour(random));
    x += width;
  }
};

/** Leaves: edges without any straight line. */
const putPlant = ({ image, random, place }: Scene): void => {
  const [x, y] = [random(), 0.3 + 0.6 * random()];
  for (let leaf = 0; leaf < 24; leaf++) {
    const angle = random() * 2 * Math.PI;
    const [length, wide] = [0.05 + 0.14 * random(), 0.008 + 0.02 * random()];
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    const colour: Colour = [30 + 60 * random(), 70 + 90 * random(), 30 + 40 * random()];
    const ring = [
      [x, y],
      [x + dx * length * 0.5 - dy * wide, y + dy * length * 0.5 + dx * wide],
      [x + dx * length, y + dy * length],
      [x + dx * length * 0.5 + dy * wide, y + dy * length * 0.5 - dx * wide],
    ] as const;
    fill(image, [place(ring)], colour);
  }
};

/** An overexposed lamp. */
const hangLamp = ({ image, random, place }: Scene): void => {
  const [x, y, radius] = [random(), random() * 0.4, 0.02 + 0.07 * random()];
  const ring = Array.from({ length: 24 }, (_, i): readonly [number, number] => [
    x + radius * Math.cos((i * Math.PI) / 12),
    y + radius * Math.sin((i * Math.PI) / 12),
  ]);
  fill(image, [place(ring)], [255, 252, 240]);
};

const things = [hangFrame, hangDoor, hangWindow, hangBookcase, putPlant, hangLamp] as const;
