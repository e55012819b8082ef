/** One sound for «now». Off until it is switched on, for each device. */
const STORED = "boardcast-sound";
const state = $state({ on: read() });
let context: AudioContext | null = null;

function read(): boolean {
  try {
    return localStorage.getItem(STORED) === "on";
  } catch {
    return false;
  }
}

export function soundOn(): boolean {
  return state.on;
}

export function switchSound(on: boolean): void {
  state.on = on;
  try {
    localStorage.setItem(STORED, on ? "on" : "off");
  } catch {
    // It holds until the page is closed.
  }
  if (on) ring();
}

/** Two short tones. Browsers allow them after the first tap on the page. */
export function ring(): void {
  if (!state.on) return;
  context ??= new AudioContext();
  void context.resume();
  const begin = context.currentTime + 0.02;
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, begin + index * 0.22);
    volume.gain.exponentialRampToValueAtTime(0.3, begin + index * 0.22 + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, begin + index * 0.22 + 0.2);
    tone.connect(volume).connect(context.destination);
    tone.start(begin + index * 0.22);
    tone.stop(begin + index * 0.22 + 0.21);
  }
}
