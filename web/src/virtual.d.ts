declare module "virtual:openings" {
  const names: Readonly<Record<string, string>>;
  export default names;
}

declare module "virtual:zones" {
  const names: readonly string[];
  export default names;
}
