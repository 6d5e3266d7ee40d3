(function () {
  var link = document.getElementById("get"), note = document.getElementById("copy");
  var text = link && link.getAttribute("data-copied"), isCopied = false;
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
    if (isCopied) { isCopied = false; return; }
    var isGone = false;
    // As a tap: a browser inside of an app may not let a script go to a store.
    function go() { if (!isGone) { isGone = isCopied = true; link.click(); } }
    event.preventDefault();
    if (navigator.clipboard && navigator.clipboard.writeText) {
      navigator.clipboard.writeText(text).catch(copyByHand).then(go, go);
      setTimeout(go, 1000);
    } else { try { copyByHand(); } finally { go(); } }
  });
  if (note) { note.hidden = false; }
})();
