(function () {
  var link = document.getElementById("get"), note = document.getElementById("copy");
  var text = link && link.getAttribute("data-copied");
  if (!text) { return; }
  function copyByHand() {
    var field = document.createElement("textarea");
    field.value = text;
    field.readOnly = true;
    link.parentNode.appendChild(field);
    field.select();
    try { document.execCommand("copy"); } finally { field.remove(); }
  }
  link.addEventListener("click", function (event) {
    var isGone = false;
    function go() { if (!isGone) { isGone = true; location.href = link.href; } }
    event.preventDefault();
    if (navigator.clipboard && navigator.clipboard.writeText) {
      navigator.clipboard.writeText(text).catch(copyByHand).then(go, go);
      setTimeout(go, 1000);
    } else { try { copyByHand(); } finally { go(); } }
  });
  if (note) { note.hidden = false; }
})();
