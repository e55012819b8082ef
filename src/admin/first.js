// Sends the form with the token of the link. Browsers do not send the part after «#», so this is its first request.
const form = document.getElementById("form");
const said = document.getElementById("said");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, password } = Object.fromEntries(new FormData(form));
  const token = location.hash.slice(1);
  try {
    const answer = await fetch("/api/v1/admin/first-administrator", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token, name, password, at: Date.now() }),
    });
    const { detail, name: made } = await answer.json();
    said.textContent = answer.ok ? `${made} is the administrator and logged in here.` : detail;
    form.hidden = answer.ok;
    if (answer.ok) history.replaceState(null, "", location.pathname);
  } catch {
    said.textContent = "The daemon does not answer: try again.";
  }
});
