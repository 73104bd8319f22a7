# The runner checks every view of Famiglia, and must find these faults.

story "a card of the other player's hand"
table A B with {"ruleset":"famiglia"}
deal A=f1a B=m2a street=f0c,m1a
A GET "" with X-Spoil: put ["f1a","f0c","f0a"]
B GET "" with X-Spoil: put "m2a"
A GET "" with X-Spoil: put "m2a"  # fails: "m2a" is no card of this view

story "a card of the pile, in the answer to a move"
table A B with {"ruleset":"famiglia"}
deal street=f0c,m1a pile=b4a
A POST /turn/take {"card":"f0c"} with X-Spoil: put {"next":"b4a"}  # fails: "b4a" is no card of this view

story "a card of the pile, shown to a joining player"
lobby A with {"ruleset":"famiglia"}
B POST /v1/invitations/$code/players {"name":"B"} with X-Spoil: put "f0a" -> 201  # fails: "f0a" is no card of this view

story "one card too many"
table A B with {"ruleset":"famiglia"}
A GET "" with X-Spoil: pile 47  # fails: there are 61 cards
