declare module "virtual:openings" {
  const names: Readonly<Record<string, string>>;
  export default names;
}
