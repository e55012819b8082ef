/** Colours that the address of a page asks for: of squares, ground and text. Anything that is no colour is left out. */

const COLOURS: Readonly<Record<string, string>> = {
  light: "--light-square",
  dark: "--dark-square",
  accent: "--accent",
  background: "--ground",
  card: "--card",
  text: "--text",
};

/** Three, six or eight hexadecimal digits, with or without `#`, or a name. */
function colourOf(text: string): string | null {
  if (/^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text)) return `#${text.replace("#", "")}`;
  return /^[a-z]{3,30}$/i.test(text) && CSS.supports("color", text) ? text : null;
}

export function dressed(asked: URLSearchParams): void {
  const root = document.documentElement;
  for (const [name, variable] of Object.entries(COLOURS)) {
    const colour = colourOf(asked.get(name) ?? "");
    if (colour !== null) root.style.setProperty(variable, colour);
  }
  const theme = asked.get("theme");
  if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
}
