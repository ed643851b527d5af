/**
 * Convolutions over typed arrays. An activation is stored by rows with its channels together and with a
 * border of zeros, one pixel wide, so that no loop asks for the edge of an image.
 */
export type Activation = {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Float32Array;
};

export const makeActivation = (width: number, height: number, channels: number): Activation => ({
  width,
  height,
  channels,
  data: new Float32Array((width + 2) * (height + 2) * channels),
});

/** The place of a row's first pixel inside the border. */
const rowStart = ({ width, channels }: Activation, y: number): number =>
  ((y + 1) * (width + 2) + 1) * channels;

/**
 * Depthwise 3 x 3 into `out`, which has no border. With stride 2 the zeros stand right and below, as
 * TensorFlow's SAME.
 */
export const depthwise = (
  input: Activation,
  weights: Float32Array,
  stride: 1 | 2,
  out: Float32Array,
): void => {
  const { channels, width, data } = input;
  const row = (width + 2) * channels;
  const [across, down] = [width / stride, input.height / stride];
  const before = stride === 1 ? row + channels : 0;
  let to = 0;
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      let a = rowStart(input, y * stride) + x * stride * channels - before;
      for (let c = 0; c < channels; c++, a++, to++) {
        const [b, d] = [a + row, a + 2 * row];
        out[to] =
          data[a]! * weights[c]! +
          data[a + channels]! * weights[c + channels]! +
          data[a + 2 * channels]! * weights[c + 2 * channels]! +
          data[b]! * weights[c + 3 * channels]! +
          data[b + channels]! * weights[c + 4 * channels]! +
          data[b + 2 * channels]! * weights[c + 5 * channels]! +
          data[d]! * weights[c + 6 * channels]! +
          data[d + channels]! * weights[c + 7 * channels]! +
          data[d + 2 * channels]! * weights[c + 8 * channels]!;
      }
    }
  }
};

/** Weights of a pointwise convolution by output, padded with zeros to four outputs at a time. */
export type Pointwise = {
  readonly from: number;
  readonly to: number;
  readonly weights: Float32Array;
  readonly bias: Float32Array;
};

/** From weights by input, as the file has them. */
export const makePointwise = (
  weights: Float32Array,
  bias: Float32Array,
  from: number,
  to: number,
): Pointwise => {
  const padded = Math.ceil(to / 4) * 4;
  const byOutput = new Float32Array(padded * from);
  for (let i = 0; i < from; i++) for (let o = 0; o < to; o++) byOutput[o * from + i] = weights[i * to + o]!;
  const biases = new Float32Array(padded);
  biases.set(bias);
  return { from, to, weights: byOutput, bias: biases };
};

/**
 * All outputs of a row of pixels. `input` holds `from` values for each pixel, `step` apart, and `out` gets
 * the outputs from `to` on, `layer.to` for each pixel. Four outputs of a pixel at a time: each value is read
 * once for four products.
 */
const pointwiseRow = (
  input: Float32Array,
  at: number,
  pixels: number,
  layer: Pointwise,
  out: Float32Array,
  to: number,
): void => {
  const { from, weights, bias } = layer;
  const outputs = layer.to;
  for (let output = 0; output < outputs; output += 4) {
    const first = output * from;
    const [b0, b1, b2, b3] = [bias[output]!, bias[output + 1]!, bias[output + 2]!, bias[output + 3]!];
    const isWhole = output + 4 <= outputs;
    for (let pixel = 0; pixel < pixels; pixel++) {
      let [s0, s1, s2, s3] = [b0, b1, b2, b3];
      let value = at + pixel * from;
      let w = first;
      for (let i = 0; i < from; i++, w++, value++) {
        const x = input[value]!;
        s0 += x * weights[w]!;
        s1 += x * weights[w + from]!;
        s2 += x * weights[w + 2 * from]!;
        s3 += x * weights[w + 3 * from]!;
      }
      const place = to + pixel * outputs + output;
      out[place] = s0;
      out[place + 1] = s1;
      if (isWhole) {
        out[place + 2] = s2;
        out[place + 3] = s3;
      }
    }
  }
};

/**
 * What is added before the ReLU of a block: its input, or the largest of four of it; missing channels are
 * zero.
 */
export type Residual = { readonly input: Activation; readonly stride: 1 | 2 };

const addRow = ({ input, stride }: Residual, y: number, out: Activation): void => {
  const { channels, width, data } = input;
  const below = (width + 2) * channels;
  let to = rowStart(out, y);
  let at = rowStart(input, y * stride);
  for (let x = 0; x < out.width; x++, to += out.channels, at += stride * channels) {
    for (let c = 0; c < channels; c++) {
      const i = at + c;
      const added =
        stride === 1
          ? data[i]!
          : Math.max(data[i]!, data[i + channels]!, data[i + below]!, data[i + below + channels]!);
      out.data[to + c] = out.data[to + c]! + added;
    }
  }
};

/** Pointwise over `input` (no border), the residual added, ReLU, into `out`. */
export const pointwiseRelu = (
  input: Float32Array,
  layer: Pointwise,
  residual: Residual | undefined,
  out: Activation,
): void => {
  for (let y = 0; y < out.height; y++) {
    const start = rowStart(out, y);
    pointwiseRow(input, y * out.width * layer.from, out.width, layer, out.data, start);
    if (residual !== undefined) addRow(residual, y, out);
    const end = start + out.width * layer.to;
    for (let i = start; i < end; i++) if (out.data[i]! < 0) out.data[i] = 0;
  }
};

/**
 * Pointwise of every pixel of an activation: values by row, without a border. The outputs are an even number.
 */
export const pointwise = (input: Activation, layer: Pointwise): Float32Array => {
  const out = new Float32Array(input.width * input.height * layer.to);
  for (let y = 0; y < input.height; y++) {
    pointwiseRow(input.data, rowStart(input, y), input.width, layer, out, y * input.width * layer.to);
  }
  return out;
};
