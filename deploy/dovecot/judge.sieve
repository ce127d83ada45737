# What the spam filter has marked goes to Junk; an order that answers a letter of ours never does.
require ["fileinto"];

if allof (
  anyof (header :is "X-Spam" "Yes", header :is "X-Spam-Flag" "YES", header :contains "X-Spam-Status" "Yes, "),
  not header :contains ["In-Reply-To", "References"] "@games.example.org>"
) {
  fileinto "Junk";
  stop;
}
